"""SPARK, the subset of Ada for proofs, as a source language: from `.adb` and `.ads` files to CFAs."""
