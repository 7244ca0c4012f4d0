--  A key counts as pressed after three equal samples.
procedure Debounce is
   subtype Count is Integer range 0 .. 3;
   Pressed : Boolean := False;
   Stable  : Count := 0;
   Sample  : Boolean;
   Any     : array (1 .. 8) of Boolean;
begin
   for I in Any'Range loop
      Sample := Any (I);
      if Sample = Pressed then
         Stable := 0;
      else
         Stable := Stable + 1;
         if Stable = 3 then  --  bug: if Stable = 4 then
            Pressed := Sample;
            Stable := 0;
         end if;
      end if;
      pragma Loop_Invariant (Stable < 3);
   end loop;
end Debounce;
