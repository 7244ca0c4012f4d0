package body Counter is
   subtype Level is Integer range 0 .. 10;
   Value : Level := 0;

   procedure Increment
     with Global => (In_Out => Value),
          Post => Value >= Value'Old
   is
   begin
      if Value <= Level'Last then
         Value := Value + 1;
      end if;
   end Increment;
end Counter;
