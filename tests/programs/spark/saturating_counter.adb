package body Saturating_Counter is
   subtype Level is Integer range 0 .. 10;
   Value : Level := 0;

   procedure Increment
     with Global => (In_Out => Value)
   is
   begin
      if Value < Level'Last then  --  bug: if Value <= Level'Last then
         Value := Value + 1;
      end if;
   end Increment;

   procedure Decrement
     with Global => (In_Out => Value), Post => Value = Integer'Max (Value'Old - 1, 0)
   is
   begin
      if Value > 0 then
         Value := Value - 1;
      end if;
   end Decrement;
end Saturating_Counter;
