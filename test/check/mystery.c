/* A function that no checked unit defines. */
int mystery(const int *p) { return p[3]; }
