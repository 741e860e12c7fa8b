// S3: the program looks at addresses, or moves bytes within what would be one
// block.
#include "cases.h"
#include <cstdint>

CASE(compare) {
  int *h = (int *)malloc(Bytes); // BAD: S3
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (bad && h == d) // BECAUSE
    puts("one");
  if (h == nullptr || d == nullptr)
    puts("none");
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  free(h);
  cudaFree(d);
}

CASE(number) {
  int *h = (int *)malloc(Bytes); // BAD: S3
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (((uintptr_t)h & 15) != 0)
    puts("odd");
  int *end = h + N;
  printf("%d\n", int(end - h));
  if (bad && (uintptr_t)h % 4099 == 77) // BECAUSE
    puts("lucky");
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  free(h);
  cudaFree(d);
}

// Device memory and merged blocks are aligned to 256 bytes.
CASE(alignment_of_device) {
  int *h = (int *)malloc(Bytes); // BAD: S3
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  auto kept = reinterpret_cast<uintptr_t>(d);
  if (kept % 16 != 0 || (kept & 255) != 0 || kept == 0)
    puts("odd");
  if (bad) {
    auto number = reinterpret_cast<uintptr_t>(d); // BECAUSE
    if (number / 3 % 16 == 77)
      puts("lucky");
  }
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  free(h);
  cudaFree(d);
}

// malloc() aligns to 16 bytes; a block of a mapping of its own is aligned to no
// more.
CASE(alignment_of_host) {
  constexpr size_t Large = 1 << 20;
  char *h = (char *)malloc(Large); // BAD: S3
  char *d;
  cudaMalloc(&d, Large);
  memset(h, 1, Large);
  cudaMemcpy(d, h, Large, cudaMemcpyHostToDevice);
  auto kept = reinterpret_cast<uintptr_t>(h);
  if (kept % 16 != 0)
    puts("odd");
  if (bad) {
    auto number = reinterpret_cast<uintptr_t>(h); // BECAUSE
    if (number % 64 == 0)
      puts("lucky");
  }
  cudaMemcpy(h, d, Large, cudaMemcpyDeviceToHost);
  free(h);
  cudaFree(d);
}

CASE(printed) {
  int *h = (int *)malloc(Bytes); // BAD: S3
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (bad)
    fprintf(stderr, "%p\n", (void *)h); // BECAUSE
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  free(h);
  cudaFree(d);
}

CASE(asked) {
  int *h;
  cudaMallocHost(&h, Bytes); // BAD: S3
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  cudaPointerAttributes about;
  if (bad)
    cudaPointerGetAttributes(&about, d); // BECAUSE
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  cudaFreeHost(h);
  cudaFree(d);
}

CASE(shifted) {
  int *h = (int *)malloc(Bytes); // BAD: S3
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (bad)
    cudaMemcpy(h, d + 1, Bytes - 4, cudaMemcpyDeviceToHost); // BECAUSE
  else
    cudaMemcpy(h, d, Bytes - 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  free(h);
  cudaFree(d);
}
