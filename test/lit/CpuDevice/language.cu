// RUN: %echo_cc --device=cpu --no-unify -O0 -g %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O3 %s -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// What C++ in kernels needs: parameters by value, recursion, function
// pointers, virtual functions, lambdas, local arrays, device statics, globals.
#include "Inputs/check.h"

__constant__ float Coefficients[4];
__device__ int Counter = 3;
__device__ int *CounterAddress = &Counter;
__device__ float Table[3] = {1, 2, 3};
static __device__ int Hidden = 5;

struct Params {
  int A;
  double B[10];
  float *P;
  char C;
};
struct Empty {};

__global__ void byValue(Params S, float3 Q, Empty, char C, bool B, short H,
                        float *O) {
  int I = threadIdx.x;
  S.B[I % 10] += 1; // the thread's own copy
  S.A += I;
  O[I] =
      S.B[I % 10] + S.A + Q.x * Coefficients[I & 3] + C + B + H + Table[I % 3];
}

__device__ __noinline__ int fib(int N) {
  return N < 2 ? N : fib(N - 1) + fib(N - 2);
}
__device__ __noinline__ int who() { return threadIdx.x + blockIdx.x * 100; }
__device__ int add(int A, int B) { return A + B + threadIdx.x; }
__device__ int multiply(int A, int B) { return A * B; }
__device__ int (*Functions[2])(int, int) = {add, multiply};
__global__ void calls(int *O, int Which) {
  int I = threadIdx.x;
  O[I] =
      fib(I % 12) + who() + Functions[Which](I, 3) + *CounterAddress + Hidden;
}

struct Base {
  __device__ virtual int value(int X) { return X; }
  __device__ virtual ~Base() {}
};
struct Scaled : Base {
  int K;
  __device__ Scaled(int K) : K(K) {}
  __device__ int value(int X) override { return X * K; }
};
__global__ void objects(int *O) {
  int I = threadIdx.x, Local[16], Sum = 0;
  Base *B = I & 1 ? new Scaled(I) : new Base;
  for (int K = 0; K < 16; ++K)
    Local[K] = K * I;
  for (int K = 0; K < 16; ++K)
    Sum += Local[(K * 7 + I) & 15];
  O[I] = B->value(10) + Sum;
  delete B;
}

template <typename Fn> __global__ void apply(Fn F, int *O, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    O[I] = F(I);
}

__device__ int next() {
  static int Count = 0;
  return atomicAdd(&Count, 1);
}
__global__ void statics(int *O) { atomicMax(O, next()); }

int main() {
  float Host[4] = {1, 2, 3, 4}, *F = managed<float>(64);
  int *O = managed<int>(256);
  cudaMemcpyToSymbol(Coefficients, Host, sizeof(Host));
  Params S{};
  S.A = 2;
  for (int I = 0; I != 10; ++I)
    S.B[I] = I;
  byValue<<<1, 32>>>(S, make_float3(2, 0, 0), Empty(), 'a', true, -3, F);
  for (int I = 0; I != 32; ++I)
    CHECK(F[I] ==
          I % 10 + 1 + 2 + I + 2 * Host[I & 3] + 'a' + 1 - 3 + I % 3 + 1);
  int Fib[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (int Which = 0; Which != 2; ++Which) {
    calls<<<1, 64>>>(O, Which);
    for (int I = 0; I != 64; ++I)
      CHECK(O[I] == Fib[I % 12] + I + (Which ? I * 3 : I + 3 + I) + 3 + 5);
  }
  objects<<<1, 32>>>(O);
  for (int I = 0; I != 32; ++I)
    CHECK(O[I] == (I & 1 ? 10 * I : 10) + 120 * I);
  int Factor = 4;
  apply<<<3, 50>>>([=] __device__(int I) { return I * Factor; }, O, 140);
  for (int I = 0; I != 140; ++I)
    CHECK(O[I] == 4 * I);
  apply<<<3, 50>>>([] __device__(int I) { return I + 1; }, O, 140);
  CHECK(O[0] == 1 && O[139] == 140);
  O[0] = 0;
  statics<<<4, 25>>>(O);
  CHECK(O[0] == 99);
  int Value = 0;
  cudaMemcpyFromSymbol(&Value, Counter, sizeof(Value));
  CHECK(Value == 3);
}
