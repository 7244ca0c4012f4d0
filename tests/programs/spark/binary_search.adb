--  entry: Find
package body Binary_Search is
   type Vector is array (1 .. 7) of Integer;
   function Find (A : Vector; X : Integer) return Integer
     with Post => Find'Result = 0 or else A (Find'Result) = X
   is
      Low  : Integer := A'First;
      High : Integer := A'Last;
      Mid  : Integer;
   begin
      while Low <= High loop  --  bug: while Low <= High + 1 loop
         Mid := (Low + High) / 2;
         if A (Mid) = X then
            return Mid;
         elsif A (Mid) < X then
            Low := Mid + 1;
         else
            High := Mid - 1;
         end if;
      end loop;
      return 0;
   end Find;
end Binary_Search;
