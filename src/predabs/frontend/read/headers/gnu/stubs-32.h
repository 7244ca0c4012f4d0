/* A 64-bit system may lack the 32-bit half of its C library: this lets its headers be read. */
