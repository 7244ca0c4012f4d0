package body Step is
   procedure Step (X, Y : in out Integer) is
      --% predicate X >= 0;
      --% predicate Y mod 2 = 0;
   begin
      X := X + 10;
      Y := Y + 1;
   end Step;
end Step;
