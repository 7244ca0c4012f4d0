--  entry: Fib
package body Fibonacci is
   function Fib (N : Natural) return Natural
     with Pre => N <= 46  --  bug: with Pre => N <= 47
   is
      A : Natural := 0;
      B : Natural := 1;
      T : Natural;
   begin
      if N = 0 then
         return 0;
      end if;
      for I in 2 .. N loop
         T := A + B;
         A := B;
         B := T;
      end loop;
      return B;
   end Fib;
end Fibonacci;
