--  entry: Step
package body Collatz_Step is
   function Step (N : Positive) return Positive
     with Pre => N <= 1_000_000,
          Post => (if N mod 2 = 0 then Step'Result < N else Step'Result > N)
   is
   begin
      if N mod 2 = 0 then
         return N / 2;
      end if;
      return 3 * N + 1;  --  bug: return 3 * N - 2;
   end Step;
end Collatz_Step;
