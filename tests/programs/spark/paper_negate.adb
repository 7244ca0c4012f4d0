--  X := -X of [Mir13, section 5]: the predicates X <= 0 and X > 0 change places.
--  entry: Negate
package body Paper_Negate is
   procedure Negate (X : in out Integer)
     with Pre => X > Integer'First,  --  bug: with Pre => True,
          Post => (if X'Old > 0 then X < 0)
   is
   begin
      X := -X;
   end Negate;
end Paper_Negate;
