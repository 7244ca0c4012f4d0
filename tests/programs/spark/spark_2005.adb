--  Annotations of SPARK 2005.
package body Spark_2005 is
   Total : Integer := 0;

   procedure Add (X : in Integer)
   --# global in out Total;
   --# derives Total from Total, X;
   --# pre X >= 0 and X <= 1000 and
   --#     Total >= 0 and Total <= 1000;
   --# post Total = Total~ + X;
   is
   begin
      Total := Total + X;  --  bug: Total := Total - X;
      --# check Total >= 0 -> X <= Total;
   end Add;
end Spark_2005;
