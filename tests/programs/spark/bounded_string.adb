--  A string of letters of an enumeration, with a length.
package body Bounded_String is
   type Letter is (Alpha, Beta, Gamma, Blank);
   subtype Length_Type is Natural range 0 .. 6;
   type Letters is array (1 .. 6) of Letter;
   type Text is record
      Data : Letters;
      Size : Length_Type;
   end record;

   procedure Append (T : in out Text; L : in Letter)
     with Pre => T.Size < 6,  --  bug: with Pre => T.Size <= 6,
          Post => T.Size = T.Size'Old + 1 and then T.Data (T.Size) = L
   is
   begin
      T.Size := T.Size + 1;
      T.Data (T.Size) := L;
   end Append;

   function Blanks (T : Text) return Length_Type is
      Found : Length_Type := 0;
   begin
      for I in 1 .. T.Size loop
         if T.Data (I) = Blank then
            pragma Assert (Found < I);
            Found := Found + 1;
         end if;
         pragma Loop_Invariant (Found <= I);
      end loop;
      return Found;
   end Blanks;
end Bounded_String;
