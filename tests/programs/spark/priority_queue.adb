--  A small queue that keeps its elements in order.
package body Priority_Queue is
   subtype Priority is Integer range 0 .. 7;
   type Heap is array (1 .. 4) of Priority;
   subtype Size_Type is Natural range 0 .. 4;
   Data : Heap;
   Size : Size_Type := 0;

   function Ordered return Boolean is
     (for all I in 1 .. 3 => (if I < Size then Data (I) >= Data (I + 1)));

   procedure Insert (P : in Priority)
     with Pre => Size < 4 and then Ordered,
          Post => Ordered and Size = Size'Old + 1
   is
      At_Place : Positive := Size + 1;
   begin
      Size := Size + 1;
      while At_Place > 1 and then Data (At_Place - 1) < P loop
         Data (At_Place) := Data (At_Place - 1);
         At_Place := At_Place - 1;
      end loop;
      Data (At_Place) := P;  --  bug: Data (Size) := P;
   end Insert;
end Priority_Queue;
