--  entry: Find
package body Linear_Search is
   type Vector is array (1 .. 8) of Integer;
   function Find (A : Vector; X : Integer) return Integer
     with Post => Find'Result in 0 .. 8 and then (if Find'Result > 0 then A (Find'Result) = X)
   is
   begin
      for I in A'Range loop
         if A (I) = X then  --  bug: if A (I) >= X then
            return I;
         end if;
      end loop;
      return 0;
   end Find;
end Linear_Search;
