procedure Traffic_Light is
   type Light is (Red, Red_Yellow, Green, Yellow);
   North, East : Light := Red;
   Pressed : Boolean;

   function Next (L : Light) return Light is
     (if L = Light'Last then Light'First else Light'Succ (L));
begin
   for Round in 1 .. 50 loop
      if North /= Red then
         North := Next (North);
      elsif East /= Red then
         East := Next (East);
      elsif Pressed then
         North := Red_Yellow;
      else
         East := Red_Yellow;  --  bug: East := Red_Yellow; North := Green;
      end if;
      pragma Assert (North = Red or East = Red);
   end loop;
end Traffic_Light;
