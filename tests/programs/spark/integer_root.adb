--  entry: Root
package body Integer_Root is
   function Root (N : Natural) return Natural
     with Pre => N <= 100,
          Post => Root'Result * Root'Result <= N
                  and (Root'Result + 1) * (Root'Result + 1) > N
   is
      R : Natural := 0;
   begin
      while (R + 1) * (R + 1) <= N loop  --  bug: while (R + 1) * (R + 1) < N loop
         R := R + 1;
      end loop;
      return R;
   end Root;
end Integer_Root;
