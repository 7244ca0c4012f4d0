--  Fast powers against slow ones.
--  entry: Check
package body Power is
   function Fast (B, E : Natural) return Natural is
      Base   : Natural := B;
      Rest   : Natural := E;
      Result : Natural := 1;
   begin
      while Rest > 0 loop
         if Rest mod 2 = 1 then
            Result := Result * Base;
         end if;
         Rest := Rest / 2;
         if Rest > 0 then
            Base := Base * Base;  --  bug: Base := Base * B;
         end if;
      end loop;
      return Result;
   end Fast;

   procedure Check (B : in Natural; E : in Natural)
     with Pre => B <= 4 and E <= 5
   is
      Slow : Natural := 1;
   begin
      for I in 1 .. E loop
         Slow := Slow * B;
      end loop;
      pragma Assert (Fast (B, E) = Slow);
   end Check;
end Power;
