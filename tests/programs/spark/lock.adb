--  The lock of [HJMS02, figure 1]: between acquiring and releasing it, a request may be retried.
procedure Lock is
   Locked : Boolean := False;
   New_Count, Old_Count : Natural := 0;
   Requests : Natural;

   procedure Acquire with Pre => not Locked is
   begin
      Locked := True;
   end Acquire;

   procedure Release with Pre => Locked is
   begin
      Locked := False;
   end Release;
begin
   loop
      Acquire;
      Old_Count := New_Count;
      exit when New_Count = Natural'Last;
      if Requests > New_Count then
         Release;
         New_Count := New_Count + 1;  --  bug: Old_Count := New_Count;
      end if;
      exit when New_Count = Old_Count;
   end loop;
   Release;
end Lock;
