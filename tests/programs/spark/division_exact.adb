--  The same on small numbers, with the whole postcondition.
--  entry: Divide
package body Division_Exact is
   subtype Small is Integer range 0 .. 15;
   procedure Divide (A : in Small; B : in Small; Q, R : out Small)
     with Pre => B > 0,  --  bug: with Pre => B >= 0,
          Post => A = Q * B + R and R < B
   is
   begin
      Q := A / B;
      R := A rem B;
   end Divide;
end Division_Exact;
