--  Division by repeated subtraction.
--  entry: Divide
package body Division is
   procedure Divide (A : in Natural; B : in Positive; Q, R : out Natural)
     with Post => R < B
   is
   begin
      Q := 0;
      R := A;
      while R >= B loop  --  bug: while R > B loop
         R := R - B;
         pragma Loop_Invariant (R <= A);
         if Q < Natural'Last then
            Q := Q + 1;
         end if;
      end loop;
   end Divide;
end Division;
