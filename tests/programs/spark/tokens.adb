--  An automaton over characters: balanced brackets never go below zero.
procedure Tokens is
   type Symbol is (Open, Close, Other);
   type Word is array (1 .. 6) of Symbol;
   W     : Word;
   Depth : Integer range 0 .. 6 := 0;
   Fine  : Boolean := True;
begin
   for S of W loop
      case S is
         when Open =>
            Depth := Depth + 1;
         when Close =>
            if Depth > 0 then  --  bug: if Depth >= 0 then
               Depth := Depth - 1;
            else
               Fine := False;
            end if;
         when Other =>
            null;
      end case;
   end loop;
   if Fine and Depth = 0 then
      pragma Assert (for some S of W => S = Other or S = Close);
   end if;
end Tokens;
