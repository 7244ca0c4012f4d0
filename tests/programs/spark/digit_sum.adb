--  entry: Digits_Of
package body Digit_Sum is
   function Digits_Of (N : Natural) return Natural
     with Pre => N <= 9_999,
          Post => Digits_Of'Result <= 36  --  bug: Post => Digits_Of'Result <= 35
   is
      Rest : Natural := N;
      Sum  : Natural := 0;
   begin
      for I in 1 .. 4 loop
         Sum := Sum + Rest mod 10;
         Rest := Rest / 10;
      end loop;
      return Sum;
   end Digits_Of;
end Digit_Sum;
