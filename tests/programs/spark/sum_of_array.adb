procedure Sum_Of_Array is
   subtype Small is Integer range 0 .. 100;
   type Vector is array (1 .. 10) of Small;
   A : Vector;
   Sum : Natural := 0;
   subtype Total is Natural range 0 .. 1000;  --  bug: subtype Total is Natural range 0 .. 999;
   T : Total;
begin
   for I in A'Range loop
      pragma Loop_Invariant (Sum <= 100 * (I - 1));
      Sum := Sum + A (I);
   end loop;
   T := Sum;
   pragma Assert (T <= 1000);
end Sum_Of_Array;
