--  A record, changed by two procedures that keep its balance in range.
package body Account is
   subtype Amount is Integer range 0 .. 1_000;
   type State is record
      Balance : Amount := 0;
      Open    : Boolean := False;
   end record;
   Current : State;

   procedure Deposit (Sum : in Amount)
     with Pre => Current.Open and then Current.Balance + Sum <= Amount'Last,
          Post => Current.Balance = Current.Balance'Old + Sum
   is
   begin
      Current.Balance := Current.Balance + Sum;
   end Deposit;

   procedure Withdraw (Sum : in Amount; Done : out Boolean)
     with Post => (if Done then Current.Balance <= Current.Balance'Old)
   is
   begin
      Done := Current.Open and then Sum <= Current.Balance;
      if Done then  --  bug: if Done or Sum = 0 or Sum > 900 then
         Current.Balance := Current.Balance - Sum;
      end if;
   end Withdraw;
end Account;
