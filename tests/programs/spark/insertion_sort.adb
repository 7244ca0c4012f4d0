procedure Insertion_Sort is
   type Vector is array (1 .. 4) of Integer;
   A : Vector;
   Key : Integer;
   J : Integer;
begin
   for I in 2 .. A'Last loop
      Key := A (I);
      J := I - 1;
      while J >= 1 and then A (J) > Key loop  --  bug: while J > 1 and then A (J) > Key loop
         A (J + 1) := A (J);
         J := J - 1;
      end loop;
      A (J + 1) := Key;
   end loop;
   pragma Assert (for all I in 1 .. A'Last - 1 => A (I) <= A (I + 1));
end Insertion_Sort;
