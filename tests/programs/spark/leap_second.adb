--  A clock as a record of subtypes, advanced with carry.
package body Leap_Second is
   subtype Sixty is Integer range 0 .. 59;
   subtype Hours is Integer range 0 .. 23;
   type Time is record
      H : Hours;
      M : Sixty;
      S : Sixty;
   end record;

   procedure Advance (T : in out Time)
     with Post => T.S = (T.S'Old + 1) mod 60 and (if T.S /= 0 then T.M = T.M'Old)
   is
   begin
      if T.S < 59 then
         T.S := T.S + 1;
      else
         T.S := 0;
         T.M := (T.M + 1) mod 60;
         if T.M = 0 then
            T.H := (T.H + 1) mod 24;  --  bug: T.H := T.H + 1;
         end if;
      end if;
   end Advance;
end Leap_Second;
