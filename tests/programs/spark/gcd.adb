--  entry: Gcd
package body Gcd is
   function Gcd (A, B : Positive) return Positive
   is
      X : Natural := A;
      Y : Natural := B;
      T : Natural;
   begin
      while Y /= 0 loop
         T := X mod Y;
         X := Y;
         Y := T;
         pragma Loop_Invariant (X > 0);
      end loop;
      return X;  --  bug: return X / Y;
   end Gcd;
end Gcd;
