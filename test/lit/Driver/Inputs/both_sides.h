// A header of a program that knows nvcc only.
#ifdef __NVCC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
BOTH inline int twice(int i) { return 2 * i; }
