--  Neighbours in the Gray code differ in one bit: modular types and bit operations.
--  entry: Check
package body Gray_Code is
   type Byte is mod 2 ** 8;

   function Gray (X : Byte) return Byte is (X xor (X / 2));

   procedure Check (X : in Byte)
     with Pre => X < 255
   is
      D : constant Byte := Gray (X) xor Gray (X + 1);
   begin
      pragma Assert (D /= 0 and (D and (D - 1)) = 0);  --  bug: pragma Assert (D /= 0 and (D and (D - 1)) = 0 and D < 128);
   end Check;
end Gray_Code;
