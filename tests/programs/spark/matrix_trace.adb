--  Arrays of two dimensions, and a function that returns one.
--  entry: Check
package body Matrix_Trace is
   subtype Small is Integer range -9 .. 9;
   type Index is range 1 .. 3;
   type Matrix is array (Index, Index) of Small;

   function Transposed (M : Matrix) return Matrix is
      R : Matrix;
   begin
      for I in Index loop
         for J in Index loop
            R (I, J) := M (J, I);  --  bug: R (I, J) := M (J, Index'Min (I, 2));
         end loop;
      end loop;
      return R;
   end Transposed;

   function Trace (M : Matrix) return Integer is
      Sum : Integer := 0;
   begin
      for I in Index loop
         Sum := Sum + M (I, I);
      end loop;
      return Sum;
   end Trace;

   procedure Check (M : in Matrix) is
   begin
      pragma Assert (Trace (Transposed (M)) = Trace (M));
   end Check;
end Matrix_Trace;
