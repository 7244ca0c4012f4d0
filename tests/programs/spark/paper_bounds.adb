--  X between 0 and 100, as in [Mir13, section 7]: two predicates that exclude each other's negation.
--  entry: Step
package body Paper_Bounds is
   procedure Step (X : in out Integer)
     with Pre => X in 0 .. 100, Post => X in 0 .. 100
   is
   begin
      if X < 100 then  --  bug: if X <= 100 then
         X := X + 1;
      else
         X := 10;
      end if;
   end Step;
end Paper_Bounds;
