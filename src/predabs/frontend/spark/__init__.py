"""SPARK as a source language: from `.adb` and `.ads` files to CFAs."""
