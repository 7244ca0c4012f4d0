package body Vending_Machine is
   type State is (Idle, Paid, Serving);
   subtype Money is Integer range 0 .. 100;
   S : State := Idle;
   Credit : Money := 0;
   Price : constant Money := 30;

   procedure Coin (Value : Money)
     with Contract_Cases =>
       (S = Idle and Value >= Price => S = Paid,
        S = Idle and Value < Price  => S = Idle,
        others                      => S = S'Old)
   is
   begin
      if S = Idle and then Value >= Price then
         Credit := Value - Price;  --  bug: Credit := Price - Value;
         S := Paid;
      end if;
   end Coin;

   procedure Serve
     with Pre => S = Paid, Post => S = Serving
   is
   begin
      case S is
         when Paid => S := Serving;
         when Idle | Serving => null;
      end case;
   end Serve;
end Vending_Machine;
