// A device function of another file (cmake-separable.test).
__device__ int twice(int x) { return 2 * x; }
