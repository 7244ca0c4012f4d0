--  Peterson's algorithm for two processes, stepped in any order.
procedure Mutual_Exclusion is
   type Place is (Away, Asked, Waiting, Inside);
   type Process is range 0 .. 1;
   type Places is array (Process) of Place;
   type Flags is array (Process) of Boolean;
   At_Place : Places := (others => Away);
   Wants    : Flags := (others => False);
   Turn     : Process := 0;
   Order    : array (1 .. 12) of Process;
   Me       : Process;
begin
   for I in Order'Range loop
      Me := Order (I);
      case At_Place (Me) is
         when Away =>
            Wants (Me) := True;
            At_Place (Me) := Asked;
         when Asked =>
            Turn := 1 - Me;  --  bug: Turn := Me;
            At_Place (Me) := Waiting;
         when Waiting =>
            if not Wants (1 - Me) or else Turn = Me then
               At_Place (Me) := Inside;
            end if;
         when Inside =>
            Wants (Me) := False;
            At_Place (Me) := Away;
      end case;
      pragma Assert (not (At_Place (0) = Inside and At_Place (1) = Inside));
   end loop;
end Mutual_Exclusion;
