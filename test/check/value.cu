// S1: a side is read behind a write to the other side. One case for each way to
// read and to write.
#include "cases.h"

CASE(load) {
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(d);
  cudaDeviceSynchronize();
  if (bad)
    printf("%d\n", h[5]); // BECAUSE
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  free(h);
  cudaFree(d);
}

CASE(store) {
  int *h = new int[N]; // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (bad)
    h[7] = -1; // BECAUSE
  twice<<<N / 256, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
  delete[] h;
  cudaFree(d);
}

CASE(same_value) {
  // Written again, but with what was there.
  int *h = new int[N]; // BAD: none
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (bad)
    h[7] = 8;
  twice<<<N / 256, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
  delete[] h;
  cudaFree(d);
}

CASE(host_memcpy) {
  int other[N];
  fill(other, 3);
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  memcpy(h, other, Bytes);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(d);
  if (!bad)
    cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  memcpy(other, h, Bytes); // BECAUSE
  printf("%d\n", other[9]);
  free(h);
  cudaFree(d);
}

CASE(host_memset) {
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (bad)
    memset(h, 1, Bytes / 2); // BECAUSE
  twice<<<N / 256, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  free(h);
  cudaFree(d);
}

CASE(file) {
  FILE *in = fopen("/dev/zero", "r");
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (bad && fread(h, 4, 10, in) != 10) // BECAUSE
    return;
  twice<<<N / 256, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  fclose(in);
  free(h);
  cudaFree(d);
}

CASE(file_write) {
  FILE *out = fopen("/dev/null", "w");
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(d);
  cudaDeviceSynchronize();
  if (bad)
    fwrite(h, 4, N, out); // BECAUSE
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  fwrite(h, 4, N, out);
  fclose(out);
  free(h);
  cudaFree(d);
}

CASE(text) {
  char *h = (char *)malloc(N); // BAD: S1
  char *d;
  cudaMalloc(&d, N);
  strcpy(h, "as it was");
  cudaMemcpy(d, h, N, cudaMemcpyHostToDevice);
  cudaMemset(d, 'x', 5); // BECAUSE
  cudaDeviceSynchronize();
  if (bad)
    printf("%s\n", h); // BECAUSE
  cudaMemcpy(h, d, N, cudaMemcpyDeviceToHost);
  printf("%s %zu\n", h, strlen(h));
  free(h);
  cudaFree(d);
}

CASE(kernel) {
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *d, *sum;
  cudaMalloc(&d, Bytes);
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (bad)
    fill(h, 100);
  total<<<1, 1>>>(d, sum);
  int s;
  cudaMemcpy(&s, sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", s);
  free(h);
  cudaFree(d);
  cudaFree(sum);
}

CASE(device_set) {
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (bad)
    cudaMemset(d, 0, Bytes / 2); // BECAUSE
  cudaDeviceSynchronize();
  printf("%d\n", h[3]); // BECAUSE
  free(h);
  cudaFree(d);
}

CASE(rows) {
  // Columns of a picture: the copy takes half of each row.
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(d);
  cudaMemcpy2D(h, 256, d, 256, 128, Bytes / 256, cudaMemcpyDeviceToHost);
  printf("%d\n", h[31]);
  if (bad)
    printf("%d\n", h[32]); // BECAUSE
  free(h);
  cudaFree(d);
}

CASE(copy_elsewhere) {
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *other = (int *)malloc(Bytes);
  int *d, *e;
  cudaMalloc(&d, Bytes);
  cudaMalloc(&e, Bytes);
  fill(h, 1);
  fill(other, 50);
  cudaMemcpy(e, other, Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  if (bad)
    cudaMemcpy(d, e, Bytes, cudaMemcpyDeviceToDevice); // BECAUSE
  cudaDeviceSynchronize();
  printf("%d\n", h[1]); // BECAUSE
  free(h);
  free(other);
  cudaFree(d);
  cudaFree(e);
}

CASE(copy_away) {
  // An asynchronous copy to a third buffer reads what the host wrote over.
  int *h, *third;
  cudaMallocHost(&h, Bytes); // BAD: S1
  cudaMallocHost(&third, Bytes);
  int *d;
  cudaMalloc(&d, Bytes);
  cudaStream_t s;
  cudaStreamCreate(&s);
  fill(h, 1);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
  if (bad)
    h[0] = 77; // BECAUSE
  cudaMemcpyAsync(third, d, Bytes, cudaMemcpyDeviceToHost, s); // BECAUSE
  cudaStreamSynchronize(s);
  printf("%d\n", third[0]);
  cudaFreeHost(h);
  cudaFreeHost(third);
  cudaFree(d);
  cudaStreamDestroy(s);
}

CASE(bytes) {
  // One byte of a number.
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  ((char *)h)[5] = 9; // BECAUSE
  int x;
  cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost);
  if (bad)
    cudaMemcpy(&x, d + 1, 4, cudaMemcpyDeviceToHost); // BECAUSE
  printf("%d\n", x);
  free(h);
  cudaFree(d);
}
