// What the two units share.
void twice(int *p, int n);
