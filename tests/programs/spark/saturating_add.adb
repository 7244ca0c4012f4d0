--  entry: Add
package body Saturating_Add is
   function Add (A, B : Natural) return Natural
     with Post => Add'Result >= A and Add'Result >= B
   is
   begin
      if A > Natural'Last - B then  --  bug: if A + B < 0 then
         return Natural'Last;
      end if;
      return A + B;
   end Add;
end Saturating_Add;
