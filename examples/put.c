// A function of a library: whoever calls it may pass the address of any variable, `used` included.
void reach_error(void);

int used;

void put(int *p) {
  used = 1;
  if (p != &used)
    *p = 2;
  if (used != 1)
    reach_error();
}
