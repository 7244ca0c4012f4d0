--  A loop invariant that speaks of the values before the loop.
--  entry: Add_All
package body Running_Sum is
   type Vector is array (1 .. 4) of Integer range 0 .. 10;

   procedure Add_All (A : in Vector; Total : in out Integer)
     with Pre => Total in 0 .. 1_000,
          Post => Total >= Total'Old
   is
   begin
      for I in A'Range loop
         Total := Total + A (I);  --  bug: Total := Total + A (I) - A (1) / 2;
         pragma Loop_Invariant (Total >= Total'Loop_Entry);
         pragma Loop_Invariant (Total <= Total'Loop_Entry + 10 * I);
      end loop;
   end Add_All;
end Running_Sum;
