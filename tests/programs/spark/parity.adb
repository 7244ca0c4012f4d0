--  Parity by folding and by counting agree.
--  entry: Check
package body Parity is
   type Nibble is mod 16;
   type Bits is array (0 .. 3) of Boolean;

   function Folded (X : Nibble) return Boolean is
      Y : constant Nibble := X xor (X / 4);
   begin
      return ((Y xor (Y / 2)) and 1) = 1;
   end Folded;

   function Unpacked (X : Nibble) return Bits is
     ((0 => (X and 1) /= 0, 1 => (X and 2) /= 0, 2 => (X and 4) /= 0, 3 => (X and 8) /= 0));

   procedure Check (X : in Nibble) is
      Odd : Boolean := False;
   begin
      for B of Unpacked (X) loop
         Odd := Odd xor B;  --  bug: Odd := Odd or B;
      end loop;
      pragma Assert (Odd = Folded (X));
   end Check;
end Parity;
