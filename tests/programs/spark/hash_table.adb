--  Open addressing: a modular hash, and a search that ends.
package body Hash_Table is
   type Hash is mod 8;
   type Slot is record
      Used : Boolean := False;
      Key  : Natural := 0;
   end record;
   type Table is array (Hash) of Slot;
   Store : Table;

   function Start (Key : Natural) return Hash is (Hash (Key mod 8));

   procedure Insert (Key : in Natural; Done : out Boolean)
     with Post => (if Done then (for some H in Hash => Store (H).Used and Store (H).Key = Key))
   is
      At_Slot : Hash := Start (Key);
   begin
      Done := False;
      for I in 1 .. 8 loop
         if not Store (At_Slot).Used then
            Store (At_Slot) := (Used => True, Key => Key);  --  bug: Store (At_Slot) := (Used => Key > 0, Key => Key);
            Done := True;
            return;
         end if;
         At_Slot := At_Slot + 1;
      end loop;
   end Insert;
end Hash_Table;
