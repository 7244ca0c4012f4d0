--  A case over an enumeration, and a function that calls it.
package body Days_In_Month is
   type Month is (Jan, Feb, Mar, Apr, May, Jun, Jul, Aug, Sep, Oct, Nov, Dec);
   subtype Day is Integer range 1 .. 31;

   function Is_Leap (Year : Natural) return Boolean is
     (Year mod 4 = 0 and then (Year mod 100 /= 0 or else Year mod 400 = 0));

   function Days (M : Month; Year : Natural) return Day
     with Post => Days'Result >= 28 and (if Days'Result = 29 then Is_Leap (Year))
   is
   begin
      case M is
         when Feb => return (if Is_Leap (Year) then 29 else 28);
         when Apr | Jun | Sep | Nov => return 30;  --  bug: when Apr | Jun | Sep | Nov => return 29;
         when others => return 31;
      end case;
   end Days;
end Days_In_Month;
