--  The step of quicksort: what is small comes first.
--  entry: Split
package body Partition is
   type Vector is array (1 .. 4) of Integer;

   procedure Split (A : in out Vector; Pivot : in Integer; Last : out Natural)
     with Post => Last <= 4
       and then (for all I in Vector'Range => (if I <= Last then A (I) <= Pivot else A (I) > Pivot))
   is
      T : Integer;
   begin
      Last := 0;
      for I in Vector'Range loop
         if A (I) <= Pivot then
            Last := Last + 1;  --  bug: Last := I;
            T := A (Last);
            A (Last) := A (I);
            A (I) := T;
         end if;
      end loop;
   end Split;
end Partition;
