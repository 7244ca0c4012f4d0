--  A state machine: the door is closed whenever the lift moves.
package body Elevator is
   type Mode is (Idle, Up, Down);
   subtype Floor is Integer range 0 .. 9;
   Now    : Mode := Idle;
   Here   : Floor := 0;
   Target : Floor := 0;
   Door   : Boolean := True;

   function Safe return Boolean is
     ((Now = Idle or not Door)
      and (if Now = Up then Here < Target)
      and (if Now = Down then Here > Target));

   procedure Call (To : in Floor)
     with Pre => Safe, Post => Safe
   is
   begin
      if Now = Idle and To /= Here then
         Target := To;
         Door := False;
         Now := (if To > Here then Up else Down);
      end if;
   end Call;

   procedure Move
     with Pre => Safe, Post => Safe
   is
   begin
      case Now is
         when Idle => return;
         when Up => Here := Here + 1;
         when Down => Here := Here - 1;
      end case;
      if Here = Target then  --  bug: if Here = Target and Door then
         Now := Idle;
         Door := True;
      end if;
   end Move;
end Elevator;
