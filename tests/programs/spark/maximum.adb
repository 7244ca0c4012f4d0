--  entry: Maximum
package body Maximum is
   type Vector is array (0 .. 5) of Integer;
   function Maximum (A : Vector) return Integer
     with Post => (for all I in A'Range => A (I) <= Maximum'Result)
   is
      M : Integer := A (0);  --  bug: M : Integer := 0;
   begin
      for I in 1 .. A'Last loop
         if A (I) > M then
            M := A (I);
         end if;
      end loop;
      return M;
   end Maximum;
end Maximum;
