// stb's image functions and zlib, compiled in another file: they read or write
// the host buffer during the call. What they allocate themselves, and what they
// hand to a function, is not followed.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"

extern "C" {
typedef void stbi_write_func(void *context, void *data, int size);
unsigned char *stbi_load_from_memory(const unsigned char *buffer, int len,
                                     int *x, int *y, int *channels, int wanted);
void stbi_image_free(void *);
int stbi_write_png(const char *filename, int w, int h, int comp,
                   const void *data, int stride);
int stbi_write_bmp_to_func(stbi_write_func *, void *context, int w, int h,
                           int comp, const void *data);
int stbir_resize_uint8(const unsigned char *in, int, int, int,
                       unsigned char *out, int, int, int, int channels);
int uncompress(unsigned char *to, unsigned long *toLen,
               const unsigned char *from, unsigned long len);
}

// OK: images.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: images.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void writesFile() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  stbi_write_png("out.png", 512, 512, 4, h, 2048);
  FREE;
}

// OK: images.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: images.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void writesToFunction(stbi_write_func *put, void *context) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  SAFE(stbi_write_png("out.png", 512, 512, 4, h, 2048);)
  UNSAFE(stbi_write_bmp_to_func(put, context, 512, 512, 4, h);)
  FREE;
}

// OK: images.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: images.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void resizes(const unsigned char *in, int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  stbir_resize_uint8(in, 64, 64, 0, (unsigned char *)h, 512, 512, 0, 4);
  UP;
  FREE;
}

// What is unpacked may be less than the buffer holds.
// OK: images.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: images.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float unpacks(const unsigned char *in, unsigned long size) {
  PAIR;
  unsigned long bytes = Bytes;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  SAFE(memset(h, 0, Bytes);)
  uncompress((unsigned char *)h, &bytes, in, size);
  float first = h[0];
  FREE;
  return first;
}

// stb frees as the program told it to, not always as free() does.
// OK: images.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: images.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void frees(const unsigned char *file, int size) {
  PAIR;
  int x, y, channels;
  unsigned char *image =
      stbi_load_from_memory(file, size, &x, &y, &channels, 4);
  if (image)
    memcpy(h, image, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  stbi_image_free(image);
  UNSAFE(stbi_image_free(h);)
  SAFE(free(h);)
  cudaFree(d);
}
