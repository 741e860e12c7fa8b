// Copies between buffers and arrays read or write the buffer and link nothing:
// with the device side in their stream, with the host's when they are called.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S2 -w --device=cpu -c %s
#include "../../../Inputs/case.h"
constexpr size_t Row = 1024;

// Merged, the kernel would change what goes into the array.
// OK: arrays.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: arrays.cu:[[#@LINE+4]]:3 h + {{.*}} declined S1 device-write-live-host
// BAD-NEXT: [[#@LINE+6]]:10 kernel 'update' writes d
// BAD-NEXT: [[#@LINE+6]]:3 cudaMemcpy2DToArray reads h
void hostToArray(cudaArray_t a) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  UNSAFE(update<<<1, 256>>>(d);)
  cudaMemcpy2DToArray(a, 0, 0, h, Row, Row, Bytes / Row,
                      cudaMemcpyHostToDevice);
  SAFE(update<<<1, 256>>>(d);)
  DOWN;
  LOOK;
  FREE;
}

// A copy on the device may go on when the call has returned.
// OK: arrays.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: arrays.cu:[[#@LINE+4]]:3 h + {{.*}} declined S2 host-write-in-flight
// BAD-NEXT: [[#@LINE+8]]:8 host writes h
// BAD-NEXT: [[#@LINE+5]]:3 cudaMemcpyToArray may still be reading d
void deviceToArray(cudaArray_t a) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  cudaMemcpyToArray(a, 0, 0, d, Bytes, cudaMemcpyDeviceToDevice);
  SAFE(cudaDeviceSynchronize();)
  h[0] = 1;
  FREE;
}

// OK: arrays.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// BAD: arrays.cu:[[#@LINE+3]]:3 h + {{.*}} declined S2 host-write-in-flight
void inStream(cudaArray_t a, cudaStream_t t) {
  cudaStream_t s;
  PAIR;
  cudaStreamCreate(&s);
  memset(h, 1, Bytes);
  UP;
  cudaMemcpy2DToArrayAsync(a, 0, 0, d, Row, Row, Bytes / Row,
                           cudaMemcpyDeviceToDevice, s);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(t);)
  h[0] = 1;
  FREE;
}

// What comes out of an array overwrites nothing for sure.
// OK: arrays.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: arrays.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void arrayToDevice(cudaArray_t a) {
  PAIR;
  memset(h, 1, Bytes);
  SAFE(LOOK;)
  cudaMemcpy2DFromArray(d, Row, a, 0, 0, Row, Bytes / Row,
                        cudaMemcpyDeviceToDevice);
  UNSAFE(LOOK;)
  DOWN;
  LOOK;
  FREE;
}

// OK: arrays.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: arrays.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void arrayToHost(cudaArray_t a, int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  SAFE(readOnly<<<1, 1>>>(d, flag); cudaDeviceSynchronize();)
  cudaMemcpyFromArray(h, a, 0, 0, Bytes, cudaMemcpyDeviceToHost);
  UNSAFE(readOnly<<<1, 1>>>(d, flag); cudaDeviceSynchronize();)
  LOOK;
  FREE;
}

// What comes out of an array covers nothing: the rest of h stays needed.
// OK: arrays.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: arrays.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void coversNothing(cudaArray_t a) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  update<<<1, 256>>>(d);
  SAFE(DOWN;)
  cudaMemcpyFromArray(h, a, 0, 0, Bytes, cudaMemcpyDeviceToHost);
  LOOK;
  FREE;
}

// When a copy of pageable memory is done depends on where the memory is.
// OK: arrays.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: arrays.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unmodelled-api
void later(cudaArray_t a, int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  SAFE(cudaMemcpy2DToArray(a, 0, 0, h, Row, Row, Bytes / Row,
                           cudaMemcpyHostToDevice);)
  UNSAFE(cudaMemcpy2DToArrayAsync(a, 0, 0, h, Row, Row, Bytes / Row,
                                  cudaMemcpyHostToDevice, nullptr);)
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  FREE;
}

// OK: arrays.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: arrays.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unmodelled-api
void anyKind(cudaArray_t a, int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  SAFE(cudaMemcpyToArray(a, 0, 0, h, Bytes, cudaMemcpyHostToDevice);)
  UNSAFE(cudaMemcpyToArray(a, 0, 0, h, Bytes, cudaMemcpyDefault);)
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  FREE;
}

// A texture of the array reaches no buffer, what tells others of one does.
// OK: arrays.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: arrays.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-escapes
cudaTextureObject_t texture(int *flag, cudaResourceDesc *told) {
  PAIR;
  cudaArray_t a;
  cudaChannelFormatDesc Format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&a, &Format, Row / sizeof(float), Bytes / Row);
  cudaResourceDesc Of = {};
  SAFE(Of.resType = cudaResourceTypeArray; Of.res.array.array = a;)
  UNSAFE(Of.resType = cudaResourceTypeLinear; Of.res.linear.devPtr = d;
         Of.res.linear.desc = Format; Of.res.linear.sizeInBytes = Bytes;)
  UNSAFE(*told = Of;)
  cudaTextureDesc How = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &Of, &How, nullptr);
  memset(h, 1, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(texture);
  cudaFreeArray(a);
  FREE;
  return texture;
}

// OK: 9 pairs: 9 unified
// BAD: 9 pairs: 9 declined
