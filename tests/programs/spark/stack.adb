package body Stack is
   Max : constant := 100;
   type Items is array (1 .. Max) of Integer;
   Data : Items := (others => 0);
   Top : Integer range 0 .. Max := 0;

   function Full return Boolean is (Top = Max);
   function Empty return Boolean is (Top = 0);

   procedure Push (X : Integer)
     with Pre => not Full, Post => Top = Top'Old + 1 and Data (Top) = X
   is
   begin
      Top := Top + 1;
      Data (Top) := X;
   end Push;

   procedure Pop (X : out Integer)
     with Pre => not Empty  --  bug: with Pre => True
   is
   begin
      X := Data (Top);
      Top := Top - 1;
   end Pop;
end Stack;
