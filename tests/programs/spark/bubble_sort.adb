--  entry: Sort
package body Bubble_Sort is
   type Vector is array (1 .. 3) of Integer;

   procedure Swap (X, Y : in out Integer)
     with Post => X = Y'Old and Y = X'Old
   is
      T : constant Integer := X;
   begin
      X := Y;
      Y := T;
   end Swap;

   procedure Sort (A : in out Vector)
     with Post => A (1) <= A (2) and A (2) <= A (3)
   is
   begin
      for Last in reverse 2 .. A'Last loop
         for I in 1 .. Last - 1 loop
            if A (I) > A (I + 1) then  --  bug: if A (I) > A (I + 1) and Last = 3 then
               Swap (A (I), A (I + 1));
            end if;
         end loop;
      end loop;
   end Sort;
end Bubble_Sort;
