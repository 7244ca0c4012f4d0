--  A recursive function.
--  entry: Factorial
package body Factorial is
   function Factorial (N : Natural) return Positive
     with Pre => N <= 12  --  bug: with Pre => N <= 13
   is
   begin
      if N = 0 then
         return 1;
      end if;
      return N * Factorial (N - 1);
   end Factorial;
end Factorial;
