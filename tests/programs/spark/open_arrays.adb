--  Unconstrained arrays as parameters, with the bounds of the calls; slices; elements.
procedure Open_Arrays is
   type Vector is array (Positive range <>) of Integer;
   subtype Three is Vector (1 .. 3);
   subtype Five is Vector (11 .. 15);

   function Largest (A : Vector) return Integer
     with Post => (for all E of A => E <= Largest'Result)
   is
      Best : Integer := A (A'First);
   begin
      for E of A loop
         if E > Best then  --  bug: if E > Best and E /= 7 then
            Best := E;
         end if;
      end loop;
      return Best;
   end Largest;

   procedure Clear (A : in out Vector)
     with Post => (for all I in A'Range => A (I) = 0)
   is
   begin
      for E of A loop
         E := 0;
      end loop;
   end Clear;

   One : Three;
   Two : Five;
begin
   pragma Assert (Largest (One) >= One (2));
   pragma Assert (Largest (Two) >= Two (15));
   pragma Assert (Largest (Two (12 .. 13)) <= Largest (Two));
   One := Two (13 .. 15);
   pragma Assert (One (1) = Two (13) and One = Two (13 .. 15));
   Clear (One);
   Two (11 .. 13) := One;
   pragma Assert (Two (12) = 0);
end Open_Arrays;
