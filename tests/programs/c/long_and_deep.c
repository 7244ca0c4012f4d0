// expect: exit 0
// Long chains of else-if and operators, deep nesting of blocks, loops and parentheses.
#include <assert.h>
#include <stdio.h>

static int chain(int n)
{
  if (n == 0)
    return 1;
  else if (n == 1)
    return 1;
  else if (n == 2)
    return 4;
  else if (n == 3)
    return 9;
  else if (n == 4)
    return 16;
  else if (n == 5)
    return 25;
  else if (n == 6)
    return 36;
  else if (n == 7)
    return 49;
  else if (n == 8)
    return 64;
  else if (n == 9)
    return 81;
  else if (n == 10)
    return 3;
  else if (n == 11)
    return 24;
  else if (n == 12)
    return 47;
  else if (n == 13)
    return 72;
  else if (n == 14)
    return 2;
  else if (n == 15)
    return 31;
  else if (n == 16)
    return 62;
  else if (n == 17)
    return 95;
  else if (n == 18)
    return 33;
  else if (n == 19)
    return 70;
  else if (n == 20)
    return 12;
  else if (n == 21)
    return 53;
  else if (n == 22)
    return 96;
  else if (n == 23)
    return 44;
  else if (n == 24)
    return 91;
  else if (n == 25)
    return 43;
  else if (n == 26)
    return 94;
  else if (n == 27)
    return 50;
  else if (n == 28)
    return 8;
  else if (n == 29)
    return 65;
  else if (n == 30)
    return 27;
  else if (n == 31)
    return 88;
  else if (n == 32)
    return 54;
  else if (n == 33)
    return 22;
  else if (n == 34)
    return 89;
  else if (n == 35)
    return 61;
  else if (n == 36)
    return 35;
  else if (n == 37)
    return 11;
  else if (n == 38)
    return 86;
  else if (n == 39)
    return 66;
  else if (n == 40)
    return 48;
  else if (n == 41)
    return 32;
  else if (n == 42)
    return 18;
  else if (n == 43)
    return 6;
  else if (n == 44)
    return 93;
  else if (n == 45)
    return 85;
  else if (n == 46)
    return 79;
  else if (n == 47)
    return 75;
  else if (n == 48)
    return 73;
  else if (n == 49)
    return 73;
  else if (n == 50)
    return 75;
  else if (n == 51)
    return 79;
  else if (n == 52)
    return 85;
  else if (n == 53)
    return 93;
  else if (n == 54)
    return 6;
  else if (n == 55)
    return 18;
  else if (n == 56)
    return 32;
  else if (n == 57)
    return 48;
  else if (n == 58)
    return 66;
  else if (n == 59)
    return 86;
  else if (n == 60)
    return 11;
  else if (n == 61)
    return 35;
  else if (n == 62)
    return 61;
  else if (n == 63)
    return 89;
  else if (n == 64)
    return 22;
  else if (n == 65)
    return 54;
  else if (n == 66)
    return 88;
  else if (n == 67)
    return 27;
  else if (n == 68)
    return 65;
  else if (n == 69)
    return 8;
  else if (n == 70)
    return 50;
  else if (n == 71)
    return 94;
  else if (n == 72)
    return 43;
  else if (n == 73)
    return 91;
  else if (n == 74)
    return 44;
  else if (n == 75)
    return 96;
  else if (n == 76)
    return 53;
  else if (n == 77)
    return 12;
  else if (n == 78)
    return 70;
  else if (n == 79)
    return 33;
  else if (n == 80)
    return 95;
  else if (n == 81)
    return 62;
  else if (n == 82)
    return 31;
  else if (n == 83)
    return 2;
  else if (n == 84)
    return 72;
  else if (n == 85)
    return 47;
  else if (n == 86)
    return 24;
  else if (n == 87)
    return 3;
  else if (n == 88)
    return 81;
  else if (n == 89)
    return 64;
  else if (n == 90)
    return 49;
  else if (n == 91)
    return 36;
  else if (n == 92)
    return 25;
  else if (n == 93)
    return 16;
  else if (n == 94)
    return 9;
  else if (n == 95)
    return 4;
  else if (n == 96)
    return 1;
  else if (n == 97)
    return 0;
  else if (n == 98)
    return 1;
  else if (n == 99)
    return 4;
  else if (n == 100)
    return 9;
  else if (n == 101)
    return 16;
  else if (n == 102)
    return 25;
  else if (n == 103)
    return 36;
  else if (n == 104)
    return 49;
  else if (n == 105)
    return 64;
  else if (n == 106)
    return 81;
  else if (n == 107)
    return 3;
  else if (n == 108)
    return 24;
  else if (n == 109)
    return 47;
  else if (n == 110)
    return 72;
  else if (n == 111)
    return 2;
  else if (n == 112)
    return 31;
  else if (n == 113)
    return 62;
  else if (n == 114)
    return 95;
  else if (n == 115)
    return 33;
  else if (n == 116)
    return 70;
  else if (n == 117)
    return 12;
  else if (n == 118)
    return 53;
  else if (n == 119)
    return 96;
  else if (n == 120)
    return 44;
  else if (n == 121)
    return 91;
  else if (n == 122)
    return 43;
  else if (n == 123)
    return 94;
  else if (n == 124)
    return 50;
  else if (n == 125)
    return 8;
  else if (n == 126)
    return 65;
  else if (n == 127)
    return 27;
  else if (n == 128)
    return 88;
  else if (n == 129)
    return 54;
  else if (n == 130)
    return 22;
  else if (n == 131)
    return 89;
  else if (n == 132)
    return 61;
  else if (n == 133)
    return 35;
  else if (n == 134)
    return 11;
  else if (n == 135)
    return 86;
  else if (n == 136)
    return 66;
  else if (n == 137)
    return 48;
  else if (n == 138)
    return 32;
  else if (n == 139)
    return 18;
  else if (n == 140)
    return 6;
  else if (n == 141)
    return 93;
  else if (n == 142)
    return 85;
  else if (n == 143)
    return 79;
  else if (n == 144)
    return 75;
  else if (n == 145)
    return 73;
  else if (n == 146)
    return 73;
  else if (n == 147)
    return 75;
  else if (n == 148)
    return 79;
  else if (n == 149)
    return 85;
  else
    return -1;
}
static int blocks(int n)
{
  int r = 0;
  if (n > 0) { if (n > 1) { if (n > 2) { if (n > 3) { if (n > 4) { if (n > 5) { if (n > 6) { if (n > 7) { if (n > 8) { if (n > 9) { if (n > 10) { if (n > 11) { if (n > 12) { if (n > 13) { if (n > 14) { if (n > 15) { if (n > 16) { if (n > 17) { if (n > 18) { if (n > 19) { if (n > 20) { if (n > 21) { if (n > 22) { if (n > 23) { if (n > 24) { if (n > 25) { if (n > 26) { if (n > 27) { if (n > 28) { if (n > 29) { if (n > 30) { if (n > 31) { if (n > 32) { if (n > 33) { if (n > 34) { if (n > 35) { if (n > 36) { if (n > 37) { if (n > 38) { if (n > 39) { if (n > 40) { if (n > 41) { if (n > 42) { if (n > 43) { if (n > 44) { if (n > 45) { if (n > 46) { if (n > 47) { if (n > 48) { if (n > 49) { if (n > 50) { if (n > 51) { if (n > 52) { if (n > 53) { if (n > 54) { if (n > 55) { if (n > 56) { if (n > 57) { if (n > 58) { if (n > 59) { r = n; } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } }
  return r;
}
static int parentheses(int n)
{
  return ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((n + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1) + 1);
}
static int conditions(int n)
{
  return n == 0 ? 0 : n == 1 ? 3 : n == 2 ? 6 : n == 3 ? 9 : n == 4 ? 12 : n == 5 ? 15 : n == 6 ? 18 : n == 7 ? 21 : n == 8 ? 24 : n == 9 ? 27 : n == 10 ? 30 : n == 11 ? 33 : n == 12 ? 36 : n == 13 ? 39 : n == 14 ? 42 : n == 15 ? 45 : n == 16 ? 48 : n == 17 ? 51 : n == 18 ? 54 : n == 19 ? 57 : n == 20 ? 60 : n == 21 ? 63 : n == 22 ? 66 : n == 23 ? 69 : n == 24 ? 72 : n == 25 ? 75 : n == 26 ? 78 : n == 27 ? 81 : n == 28 ? 84 : n == 29 ? 87 : n == 30 ? 90 : n == 31 ? 93 : n == 32 ? 96 : n == 33 ? 99 : n == 34 ? 102 : n == 35 ? 105 : n == 36 ? 108 : n == 37 ? 111 : n == 38 ? 114 : n == 39 ? 117 : n == 40 ? 120 : n == 41 ? 123 : n == 42 ? 126 : n == 43 ? 129 : n == 44 ? 132 : n == 45 ? 135 : n == 46 ? 138 : n == 47 ? 141 : n == 48 ? 144 : n == 49 ? 147 : n == 50 ? 150 : n == 51 ? 153 : n == 52 ? 156 : n == 53 ? 159 : n == 54 ? 162 : n == 55 ? 165 : n == 56 ? 168 : n == 57 ? 171 : n == 58 ? 174 : n == 59 ? 177 : n == 60 ? 180 : n == 61 ? 183 : n == 62 ? 186 : n == 63 ? 189 : n == 64 ? 192 : n == 65 ? 195 : n == 66 ? 198 : n == 67 ? 201 : n == 68 ? 204 : n == 69 ? 207 : n == 70 ? 210 : n == 71 ? 213 : n == 72 ? 216 : n == 73 ? 219 : n == 74 ? 222 : n == 75 ? 225 : n == 76 ? 228 : n == 77 ? 231 : n == 78 ? 234 : n == 79 ? 237 : n == 80 ? 240 : n == 81 ? 243 : n == 82 ? 246 : n == 83 ? 249 : n == 84 ? 252 : n == 85 ? 255 : n == 86 ? 258 : n == 87 ? 261 : n == 88 ? 264 : n == 89 ? 267 : n == 90 ? 270 : n == 91 ? 273 : n == 92 ? 276 : n == 93 ? 279 : n == 94 ? 282 : n == 95 ? 285 : n == 96 ? 288 : n == 97 ? 291 : n == 98 ? 294 : n == 99 ? 297 : -1;
}
static int ands(int n)
{
  return n != 100 && n != 101 && n != 102 && n != 103 && n != 104 && n != 105 && n != 106 && n != 107 && n != 108 && n != 109 && n != 110 && n != 111 && n != 112 && n != 113 && n != 114 && n != 115 && n != 116 && n != 117 && n != 118 && n != 119 && n != 120 && n != 121 && n != 122 && n != 123 && n != 124 && n != 125 && n != 126 && n != 127 && n != 128 && n != 129 && n != 130 && n != 131 && n != 132 && n != 133 && n != 134 && n != 135 && n != 136 && n != 137 && n != 138 && n != 139 && n != 140 && n != 141 && n != 142 && n != 143 && n != 144 && n != 145 && n != 146 && n != 147 && n != 148 && n != 149 && n != 150 && n != 151 && n != 152 && n != 153 && n != 154 && n != 155 && n != 156 && n != 157 && n != 158 && n != 159 && n != 160 && n != 161 && n != 162 && n != 163 && n != 164 && n != 165 && n != 166 && n != 167 && n != 168 && n != 169 && n != 170 && n != 171 && n != 172 && n != 173 && n != 174 && n != 175 && n != 176 && n != 177 && n != 178 && n != 179;
}

int main(void)
{
  assert(chain(0) == 1 && chain(149) == 149 * 149 % 97 && chain(500) == -1 && chain(75) == 75 * 75 % 97);
  assert(blocks(59) == 0 && blocks(60) == 60 && parentheses(1) == 121);
  assert(conditions(99) == 297 && conditions(0) == 0 && conditions(100) == -1);
  assert(ands(5) == 1 && ands(140) == 0);
  int count = 0;
  for (int i0 = 0; i0 < 2; i0++) for (int i1 = 0; i1 < 2; i1++) for (int i2 = 0; i2 < 2; i2++) for (int i3 = 0; i3 < 2; i3++) for (int i4 = 0; i4 < 2; i4++) for (int i5 = 0; i5 < 2; i5++) for (int i6 = 0; i6 < 2; i6++) for (int i7 = 0; i7 < 2; i7++) for (int i8 = 0; i8 < 2; i8++) count++;
  assert(count == 512);
  printf("%d\n", count);
  return 0;
}
