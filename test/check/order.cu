// S2: accesses to the two sides that nothing orders; by streams, by events, by
// threads of the host.
#include "cases.h"
#include <atomic>
#include <mutex>
#include <thread>

CASE(stream) {
  int *h;
  cudaMallocHost(&h, Bytes); // BAD: S2
  int *d;
  cudaMalloc(&d, Bytes);
  cudaStream_t s;
  cudaStreamCreate(&s);
  fill(h, 1);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
  twice<<<N / 256, 256, 0, s>>>(d);
  if (bad)
    printf("%d\n", h[3]); // BECAUSE
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  printf("%d\n", h[3]);
  cudaFreeHost(h);
  cudaFree(d);
  cudaStreamDestroy(s);
}

CASE(other_stream) {
  int *h;
  cudaMallocHost(&h, Bytes); // BAD: S2
  int *d;
  cudaMalloc(&d, Bytes);
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  fill(h, 1);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
  twice<<<N / 256, 256, 0, s>>>(d);
  cudaStreamSynchronize(bad ? t : s);
  h[3] = 4; // BECAUSE
  cudaDeviceSynchronize();
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  cudaFreeHost(h);
  cudaFree(d);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
}

CASE(event) {
  int *h;
  cudaMallocHost(&h, Bytes); // BAD: S2
  int *d;
  cudaMalloc(&d, Bytes);
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaEvent_t e;
  cudaEventCreate(&e);
  fill(h, 1);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s);
  if (bad)
    cudaEventRecord(e, s);
  twice<<<N / 256, 256, 0, s>>>(d);
  if (!bad)
    cudaEventRecord(e, s);
  cudaEventSynchronize(e);
  fill(h, 8);
  cudaStreamSynchronize(s);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s);
  twice<<<N / 256, 256, 0, s>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  printf("%d\n", h[1]);
  cudaFreeHost(h);
  cudaFree(d);
  cudaEventDestroy(e);
  cudaStreamDestroy(s);
}

CASE(pageable_upload) {
  // It returns when the source was read; what was in the stream before is done.
  int *h = (int *)malloc(Bytes); // BAD: S2
  int *d, *sum;
  cudaMalloc(&d, Bytes);
  cudaMalloc(&sum, 4);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  total<<<1, 1>>>(d, sum);
  if (!bad)
    cudaDeviceSynchronize();
  fill(h, 9);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  total<<<1, 1>>>(d, sum);
  free(h);
  cudaFree(d);
  cudaFree(sum);
}

CASE(thread) {
  // The thread reads h while the main thread's kernel writes d.
  int *h = (int *)malloc(Bytes); // BAD: S2
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  int seen = 0;
  std::thread reader([&] {
    seen = h[11]; // BECAUSE
  });
  if (!bad)
    reader.join();
  twice<<<N / 256, 256>>>(d);
  if (bad)
    reader.join();
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("%d %d\n", seen, h[11]);
  free(h);
  cudaFree(d);
}

CASE(mutex) {
  int *h = (int *)malloc(Bytes); // BAD: S2
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  std::mutex m;
  bool ready = false;
  int seen = 0;
  std::thread reader([&] {
    if (bad)
      seen = h[1]; // BECAUSE
    std::lock_guard<std::mutex> guard(m);
    if (!bad)
      seen = h[1];
    ready = true;
  });
  for (bool done = bad; !done;) {
    std::lock_guard<std::mutex> guard(m);
    done = ready;
  }
  twice<<<N / 256, 256>>>(d);
  reader.join();
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("%d %d\n", seen, h[11]);
  free(h);
  cudaFree(d);
}

CASE(atomic) {
  int *h = (int *)malloc(Bytes); // BAD: none
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  std::atomic<bool> ready{false};
  int seen = 0;
  std::thread reader([&] {
    seen = h[1];
    ready.store(true, std::memory_order_release);
  });
  while (!ready.load(std::memory_order_acquire))
    ;
  twice<<<N / 256, 256>>>(d);
  reader.join();
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("%d %d\n", seen, h[11]);
  free(h);
  cudaFree(d);
}

__global__ void readTexture(cudaTextureObject_t image, int *out) {
  out[threadIdx.x] = tex2D<int>(image, threadIdx.x, 1); // BECAUSE
}

// What a kernel reads by a texture is an access of the kernel.
CASE(texture) {
  int *h = (int *)malloc(Bytes); // BAD: S2
  int *d, *out;
  cudaMalloc(&d, Bytes);
  cudaMalloc(&out, 128);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  cudaResourceDesc of = {};
  of.resType = cudaResourceTypePitch2D;
  of.res.pitch2D.devPtr = d;
  of.res.pitch2D.desc = cudaCreateChannelDesc<int>();
  of.res.pitch2D.width = of.res.pitch2D.height = 32;
  of.res.pitch2D.pitchInBytes = 128;
  cudaTextureDesc how = {};
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &of, &how, nullptr);
  readTexture<<<1, 32>>>(image, out);
  if (!bad)
    cudaDeviceSynchronize();
  h[40] = 4; // BECAUSE
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFree(out);
  cudaFree(d);
  free(h);
}
