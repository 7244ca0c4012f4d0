package body Clock is
   type Hour is mod 24;
   subtype Minute is Natural range 0 .. 59;
   H : Hour := 0;
   M : Minute := 0;

   procedure Tick
     with Post => (if M'Old = 59 then M = 0 and H = H'Old + 1 else H = H'Old)
   is
   begin
      if M = 59 then  --  bug: if M = 60 then
         M := 0;
         H := H + 1;
      else
         M := M + 1;
      end if;
   end Tick;
end Clock;
