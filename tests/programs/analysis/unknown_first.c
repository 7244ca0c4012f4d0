/* an unknown address is used before the program's own names are */
int *outside(void);
int early, late[4];
int sum(void) { return early + late[0] + late[3]; }
int main(void)
{
  int *p = outside();
  if (!p)
    return 0;
  *p = 5;
  int before = sum();
  int *mine = &early, *row = late;
  row[3] = 1;
  *p += 7;
  return before + *mine + sum() + *p;
}
