--  The basic block of [Mir13, section 6] in a loop: the predicates X >= 0 and even (Y).
procedure Paper_Counter is
   X : Integer := 0;
   Y : Integer := 0;
begin
   while X < 1_000_000 loop
      X := X + 10;
      Y := (Y + 1) mod 2;
      pragma Assert (X >= 0);
   end loop;
   pragma Assert (X >= 1_000_000);  --  bug: pragma Assert (X > 1_000_000);
end Paper_Counter;
