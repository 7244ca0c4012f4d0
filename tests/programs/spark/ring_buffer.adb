package body Ring_Buffer is
   Size : constant := 4;
   subtype Index is Integer range 0 .. Size - 1;
   type Items is array (Index) of Integer;
   type Buffer is record
      Data  : Items;
      First : Index := 0;
      Count : Integer range 0 .. Size := 0;
   end record;

   procedure Put (B : in out Buffer; X : Integer)
     with Pre => B.Count < Size,  --  bug: with Pre => B.Count <= Size,
          Post => B.Count = B.Count'Old + 1
   is
   begin
      B.Data ((B.First + B.Count) mod Size) := X;
      B.Count := B.Count + 1;
   end Put;

   procedure Get (B : in out Buffer; X : out Integer)
     with Pre => B.Count > 0, Post => B.Count = B.Count'Old - 1
   is
   begin
      X := B.Data (B.First);
      B.First := (B.First + 1) mod Size;
      B.Count := B.Count - 1;
   end Get;
end Ring_Buffer;
