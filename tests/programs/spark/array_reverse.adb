--  entry: Turn
package body Array_Reverse is
   type Vector is array (1 .. 5) of Integer;

   procedure Turn (A : in out Vector)
     with Post => (for all I in Vector'Range => A (I) = A'Old (6 - I))
   is
      T : Integer;
   begin
      for I in 1 .. 2 loop  --  bug: for I in 1 .. 3 loop
         T := A (I);
         A (I) := A (6 - I);
         A (6 - I) := T;
         if I = 3 then
            A (1) := A (5);
         end if;
      end loop;
   end Turn;
end Array_Reverse;
