// Runs a script of operations on host and device buffers: what scripts.py writes.
//   script SETUP LOOP TIMES TAIL
// An operation is a letter and the numbers of its buffers, one digit each. Buffers 5 to 9 are
// allocated at other places of the code than 0 to 4.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <cstring>

static const int N = 4096;
static const size_t Bytes = N * sizeof(float);
static float *H[10], *D[10];
static int Count;

__global__ static void mix(float *d, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    d[i] = d[i] * 0.5f + (i + by) % 7;
}

static void print(const float *h) {
  double sum = 0;
  for (int i = 0; i < N; ++i)
    sum += h[i] * (i % 5);
  printf("%d %.2f\n", Count, sum);
}

static void allocate(int i) {
  if (i < 5)
    H[i] = (float *)malloc(Bytes);
  else
    H[i] = (float *)malloc(Bytes);
}

static void allocateOnDevice(int i) {
  if (i < 5)
    cudaMalloc(&D[i], Bytes);
  else
    cudaMalloc(&D[i], Bytes);
}

static void act(char what, int i, int j) {
  ++Count;
  switch (what) {
  case 'h':
    return allocate(i);
  case 'z':
    H[i] = (float *)calloc(N, sizeof(float));
    return;
  case 'd':
    return allocateOnDevice(i);
  case 'H':
    return free(H[i]);
  case 'D':
    cudaFree(D[i]);
    return;
  case 'w':
    for (int n = 0; n < N; ++n)
      H[i][n] = n % 13 + Count;
    return;
  case 'o': // one element
    H[i][Count % N] += 1;
    return;
  case 'r':
    return print(H[i]);
  case 'c':
    memcpy(H[j], H[i], Bytes);
    return;
  case 'u':
    cudaMemcpy(D[j], H[i], Bytes, cudaMemcpyHostToDevice);
    return;
  case 'l':
    cudaMemcpy(H[i], D[j], Bytes, cudaMemcpyDeviceToHost);
    return;
  case 'x':
    cudaMemcpy(D[j], D[i], Bytes, cudaMemcpyDeviceToDevice);
    return;
  case 'k':
    mix<<<N / 256, 256>>>(D[i], Count % 17);
    return;
  case 'm':
    cudaMemset(D[i], 1, Bytes);
    return;
  case 's':
    cudaDeviceSynchronize();
    return;
  default:
    fprintf(stderr, "script: no operation '%c'\n", what);
    exit(2);
  }
}

static void run(const char *script) {
  for (const char *at = script; *at;) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    char what = *at++;
    int numbers[2] = {0, 0};
    for (int n = 0; n < 2 && *at >= '0' && *at <= '9'; ++n)
      numbers[n] = *at++ - '0';
    act(what, numbers[0], numbers[1]);
  }
}

int main(int count, char **words) {
  if (count != 5)
    return 2;
  run(words[1]);
  for (int n = 0; n < atoi(words[3]); ++n)
    run(words[2]);
  run(words[4]);
  printf("end %d\n", (int)cudaGetLastError());
}
