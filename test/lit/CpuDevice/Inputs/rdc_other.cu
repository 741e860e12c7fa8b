// The other file of rdc.cu.
__device__ int Shared = 100;
template <typename T> __device__ T plusOne(T X) { return X + 1; }
__device__ int mirrored(int X) {
  __shared__ int Values[32];
  Values[threadIdx.x] = X;
  __syncthreads();
  return Values[31 - threadIdx.x] * (plusOne(1));
}
__device__ int negate(int X) { return -X; }
__device__ int (*Pointer)(int) = negate;
