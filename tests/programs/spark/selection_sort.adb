--  Sorting with a function that finds the place of the least element.
procedure Selection_Sort is
   type Vector is array (1 .. 4) of Integer;
   A : Vector;
   T : Integer;

   function Least (V : Vector; From : Positive) return Positive
     with Pre => From in V'Range,
          Post => Least'Result in From .. V'Last
   is
      Best : Positive := From;
   begin
      for I in From + 1 .. V'Last loop
         if V (I) < V (Best) then  --  bug: if V (I) < V (From) then
            Best := I;
         end if;
      end loop;
      return Best;
   end Least;

   Spot : Positive;
begin
   for I in 1 .. 3 loop
      Spot := Least (A, I);
      T := A (I);
      A (I) := A (Spot);
      A (Spot) := T;
   end loop;
   pragma Assert (for all I in 1 .. 3 => A (I) <= A (I + 1));
end Selection_Sort;
