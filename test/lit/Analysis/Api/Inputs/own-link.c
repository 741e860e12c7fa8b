/* Functions of the program under names of the C library's: in an object, or in
 * a library. */
static const char *kept;

#ifdef HIDDEN
__attribute__((visibility("hidden")))
#endif
int link(const char *from, const char *to) {
  kept = from;
  return !to;
}
