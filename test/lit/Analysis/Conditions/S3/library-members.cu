// An object may hold a std::string beside the pointers of its buffers: the
// string's functions stay inside the string. Each variant is one line apart.
// REQUIRES: cpu-device
// RUN: %echo_cc -w -O1 --device=cpu -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=ACCEPT %s < %t.txt
// RUN: %echo_cc -w -O0 --device=cpu -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=ACCEPT %s < %t.txt
// RUN: %echo_cc -w -O1 --device=cpu -DSECOND -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=ACCEPT %s < %t.txt
// RUN: %echo_cc -w -O1 --device=cpu -DHEAP -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=ACCEPT %s < %t.txt
// RUN: %echo_cc -w -O1 --device=cpu -DPRINTS -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=ACCEPT %s < %t.txt
// RUN: %echo_cc -w -O1 --device=cpu -DHEAP -DPRINTS -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=ACCEPT %s < %t.txt
// ACCEPT: 1 pair: 1 unified
// RUN: %echo_cc -w -O1 --device=cpu -DOBJECT -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=DECLINE %s < %t.txt
// RUN: %echo_cc -w -O1 --device=cpu -DMEMBER -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=DECLINE %s < %t.txt
// RUN: %echo_cc -w -O1 --device=cpu -DHEAP -DMEMBER -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=DECLINE %s < %t.txt
// RUN: %echo_cc -w -O1 --device=cpu -DBYTES -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=DECLINE %s < %t.txt
// RUN: %echo_cc -w -O1 --device=cpu -DTEXT -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=DECLINE %s < %t.txt
// RUN: %echo_cc -w -O1 --device=cpu -DEITHER -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=DECLINE %s < %t.txt
// RUN: %echo_cc -w -O1 --device=cpu -DKEPT -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=DECLINE %s < %t.txt
// DECLINE: declined {{.*}} pointer-escapes
#include <cstdlib>
#include <iostream>
#include <string>

__global__ void twice(float *P, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    P[I] *= 2;
}

struct Job;
void unknown(Job &);
void unknown(std::string &);
Job *Last;

struct Job {
#ifdef SECOND
  int First;
#endif
  std::string Name;
  float *H, *D;
  int N;
  Job(const char *Name, int N) : Name(Name), N(N) {
    H = static_cast<float *>(std::malloc(N * sizeof(float)));
    cudaMalloc(&D, N * sizeof(float));
  }
  ~Job() {
    cudaFree(D);
    std::free(H);
  }
  void run() {
    for (int I = 0; I != N; ++I)
      H[I] = I;
    cudaMemcpy(D, H, N * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<(N + 255) / 256, 256>>>(D, N);
    cudaMemcpy(H, D, N * sizeof(float), cudaMemcpyDeviceToHost);
#ifdef PRINTS
    std::cout << Name << ": " << Name.c_str() << H[N - 1] << '\n';
#endif
  }
};

int main(int ArgC, char **ArgV) {
#ifdef HEAP
  Job *Owner = new Job(ArgV[0], 1 << 20);
  Job &J = *Owner;
#else
  Job J(ArgV[0], 1 << 20);
#endif
  J.Name += ArgC > 1 ? ArgV[1] : "a longer name than fits into a short string";
#if defined OBJECT
  unknown(J);
#elif defined MEMBER
  unknown(J.Name);
#elif defined BYTES
  std::cin.read(reinterpret_cast<char *>(&J), ArgC);
#elif defined TEXT
  J.Name.append(reinterpret_cast<char *>(&J));
#elif defined EITHER
  Job Other(ArgV[0], 1 << 20);
  std::swap((ArgC > 1 ? J : Other).H, Other.D);
#elif defined KEPT
  Last = &J;
#endif
  J.run();
#ifdef HEAP
  delete Owner;
#endif
}
