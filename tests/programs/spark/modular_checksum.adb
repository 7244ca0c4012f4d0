procedure Modular_Checksum is
   type Byte is mod 256;
   type Block is array (1 .. 3) of Byte;
   B : Block;
   Sum, Check : Byte := 0;
begin
   for I in B'Range loop
      Sum := Sum + B (I);
   end loop;
   Check := -Sum;  --  bug: Check := not Sum;
   for I in B'Range loop
      Check := Check + B (I);
   end loop;
   pragma Assert (Check = 0);
end Modular_Checksum;
