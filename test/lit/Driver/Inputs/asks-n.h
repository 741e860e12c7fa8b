#if N == 3
#define HEADER_SAW_N
#endif
