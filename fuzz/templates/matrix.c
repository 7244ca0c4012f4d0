--- main
  INPUT n
  INPUT m
  <(int fixed[4][3];
  for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) fixed[<!i^^i + 1!>][<!k % 3^^k!>] = i * k;
  int *flat = &fixed[0][0];
  for (int i = 0; i < <!3^^4!>; i++) flat[i] = 0;~int **rows = malloc(n * sizeof(int *));
  for (int i = 0; i < n; i++) rows[i] = <!calloc(m, sizeof(int))^^calloc(m, sizeof(char))!>;
  for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) rows[<!i^^k!>][<!k^^i!>] = i + k;
  for (int i = 0; i < n; i++) free(rows[i]);
  <!free(rows);^^!>~int *flat = calloc(n * m, sizeof(int));
  for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) flat[<!i * m + k^^i * n + k!>] = k;
  <!free(flat);^^free(flat + n);!>)>
