//===- Probe.cu - Asks a device what echort would do, and how fast it is --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of its own, since it is linked with a CUDA runtime: echo-run starts
// it and reads lines "KEY VALUE..." from it. What memory is used where comes
// from echort itself, which is linked in. It measures memory kinds on memory
// that echort allocated, in single calls with a wait after each.
//
// Usage: echo-probe [MOST_BYTES]      with a number: the probes, too
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/CopyTime.h"
#include "runtime/abi/EchoRt.h"
#include "runtime/rt/BackingRules.h"
#include "runtime/rt/Memory.h"
#include "runtime/rt/Policy.h"
#include "tools/echo-run/probe/Times.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace echo::rt;
using echo::fastest, echo::median;

namespace {

struct Fact {
  const char *Name;
  cudaDeviceAttr Attribute;
};
constexpr Fact Facts[] = {
    {"integrated", cudaDevAttrIntegrated},
    {"concurrentManagedAccess", cudaDevAttrConcurrentManagedAccess},
    {"pageableMemoryAccess", cudaDevAttrPageableMemoryAccess},
    {"pageableMemoryAccessUsesHostPageTables",
     cudaDevAttrPageableMemoryAccessUsesHostPageTables},
    {"hostRegisterSupported", cudaDevAttrHostRegisterSupported},
    {"canMapHostMemory", cudaDevAttrCanMapHostMemory},
    {"managedMemory", cudaDevAttrManagedMemory},
    {"hostNativeAtomicSupported", cudaDevAttrHostNativeAtomicSupported},
    {"directManagedMemAccessFromHost",
     cudaDevAttrDirectManagedMemAccessFromHost},
};

int attribute(cudaDeviceAttr Attribute) {
  int Value = 0;
  if (cudaDeviceGetAttribute(&Value, Attribute, 0) != cudaSuccess) {
    cudaGetLastError();
    return 0; // an attribute that an old driver does not know
  }
  return Value;
}

[[noreturn]] void fail(const char *What, cudaError_t Error) {
  printf("error %s: %s\n", What, cudaGetErrorString(Error));
  exit(3);
}
void check(const char *What, cudaError_t Error) {
  if (Error != cudaSuccess)
    fail(What, Error);
}

void printDecisions(const Profile *P) {
  for (size_t Bytes : {size_t(64) << 10, size_t(1) << 20, size_t(16) << 20})
    for (uint32_t Flags : {unsigned(ECHO_GROUP_QUIESCENT), 0u}) {
      Decision D = decideBacking({ECHO_HOST, Flags, Bytes});
      printf("decision %zu %s %s%s %s\n", Bytes,
             Flags ? "quiescent" : "overlapping", backingName(D.Kind),
             P ? " profile" : " table", D.Why ? D.Why : "");
    }
}

// Kernels: each thread takes elements a grid apart, so that any grid will do.

__global__ void update(float *P, size_t N) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += size_t(gridDim.x) * blockDim.x)
    P[I] = P[I] * 2 + 1;
}
__global__ void readAll(const float *P, size_t N, float *Out) {
  float Sum = 0;
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += size_t(gridDim.x) * blockDim.x)
    Sum += P[I];
  if (Sum == -1.5f) // never, but the compiler cannot know
    *Out = Sum;
}
__global__ void writeAll(float *P, size_t N) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += size_t(gridDim.x) * blockDim.x)
    P[I] = 1;
}
__global__ void compute(float *P, size_t N, int Steps) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < N;
       I += size_t(gridDim.x) * blockDim.x) {
    float X = P[I];
    for (int S = 0; S < Steps; ++S)
      X = X * 0.999f + 0.001f;
    P[I] = X;
  }
}
/// Touches every \p Stride'th element, each as often as the others.
__global__ void strided(float *P, size_t N, size_t Stride) {
  size_t Count = N / Stride;
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x)
    P[I * Stride] += 1;
}

constexpr int Blocks = 256, Threads = 256;

void wait() { check("a kernel of the probes", cudaDeviceSynchronize()); }

/// The kinds of memory that host and device of this machine can share.
std::vector<Backing> sharedKinds() {
  std::vector<Backing> Kinds;
  if (attribute(cudaDevAttrPageableMemoryAccess))
    Kinds.push_back(Backing::System);
  if (attribute(cudaDevAttrManagedMemory))
    Kinds.push_back(Backing::Managed);
  if (attribute(cudaDevAttrCanMapHostMemory))
    Kinds.push_back(Backing::Mapped);
  return Kinds;
}

void hostWrites(float *P, size_t N) {
  for (size_t I = 0; I != N; ++I)
    P[I] = float(I & 255);
}
float hostReads(const float *P, size_t N) {
  float Sum = 0;
  for (size_t I = 0; I != N; ++I)
    Sum += P[I];
  return Sum;
}
volatile float Sink;

/// One iteration of a program: the host writes, the GPU works, the host reads.
void probeLoop(Backing Kind, size_t Bytes) {
  bool Copies = Kind == Backing::Split || Kind == Backing::PinnedSplit;
  size_t Rounded = roundToPages(Bytes), N = Bytes / sizeof(float);
  Backing Of = Kind == Backing::Split ? Backing::System : Kind;
  char *Base = allocateMemory(Of, Rounded);
  if (!Base)
    return;
  auto *H = reinterpret_cast<float *>(Base), *D = H;
  if (Kind == Backing::PinnedSplit &&
      cudaHostRegister(H, Rounded, cudaHostRegisterPortable) != cudaSuccess) {
    cudaGetLastError();
    freeMemory(Of, Base, Rounded);
    return;
  }
  if (Copies)
    check("cudaMalloc", cudaMalloc(&D, Bytes));
  unsigned long long Time = fastest([&] {
    hostWrites(H, N);
    if (Copies)
      check("upload", cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice));
    update<<<Blocks, Threads>>>(D, N);
    if (Copies)
      check("download", cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost));
    wait();
    Sink = hostReads(H, N);
  });
  printf("loop %s %zu %llu\n", backingName(Kind), Bytes, Time);
  if (Copies)
    cudaFree(D);
  if (Kind == Backing::PinnedSplit)
    cudaHostUnregister(H);
  freeMemory(Of, Base, Rounded);
}

/// The five probes of memory accesses, on \p P of memory called \p Name.
void probeAccesses(const char *Name, float *P, size_t Most) {
  size_t N = Most / sizeof(float);
  hostWrites(nullptr, 0);
  auto Say = [Name](const char *Probe, size_t X, unsigned long long Time) {
    printf("probe %s %zu %s %llu\n", Probe, X, Name, Time);
  };
  writeAll<<<Blocks, Threads>>>(P, N);
  wait();
  Say("write", Most,
      fastest([&] { writeAll<<<Blocks, Threads>>>(P, N), wait(); }));
  Say("read", Most,
      fastest([&] { readAll<<<Blocks, Threads>>>(P, N, P), wait(); }));
  Say("update", Most,
      fastest([&] { update<<<Blocks, Threads>>>(P, N), wait(); }));
  for (size_t Bytes = 256 << 10; Bytes <= Most; Bytes *= 2)
    Say("size", Bytes, fastest([&] {
          readAll<<<Blocks, Threads>>>(P, Bytes / sizeof(float), P), wait();
        }));
  size_t Some = std::min<size_t>(N, 4 << 20);
  for (int Steps : {1, 10, 50, 200})
    Say("compute", Steps,
        fastest([&] { compute<<<Blocks, Threads>>>(P, Some, Steps), wait(); }));
  for (size_t Stride : {1, 4, 16, 64, 128})
    Say("stride", Stride, fastest([&] {
          strided<<<Blocks, Threads>>>(P, Some, Stride), wait();
        }));
  for (int Times : {1, 10, 100})
    Say("repeat", Times, fastest([&] {
          for (int T = 0; T != Times; ++T)
            readAll<<<Blocks, Threads>>>(P, Some / 4, P);
          wait();
        }));
}

/// Copies between pageable memory and the device, of a small and a large size.
void probeCopies(size_t Most) {
  std::vector<char> Host(Most, 1);
  char *D = nullptr;
  check("cudaMalloc", cudaMalloc(&D, Most));
  for (size_t Bytes : {size_t(64) << 10, Most})
    for (bool ToDevice : {true, false}) {
      unsigned long long Time = median([&] {
        check("a copy of the probes",
              ToDevice
                  ? cudaMemcpy(D, Host.data(), Bytes, cudaMemcpyHostToDevice)
                  : cudaMemcpy(Host.data(), D, Bytes, cudaMemcpyDeviceToHost));
        wait();
      });
      printf("%s\n", echo::toText({ToDevice, Bytes, Time}).c_str());
    }
  check("cudaFree", cudaFree(D));
}

void probe(size_t Most) {
  std::vector<Backing> Kinds = sharedKinds();
  for (size_t Bytes = 64 << 10; Bytes <= Most; Bytes *= 4) {
    probeLoop(Backing::Split, Bytes);
    if (attribute(cudaDevAttrHostRegisterSupported))
      probeLoop(Backing::PinnedSplit, Bytes);
    for (Backing Kind : Kinds)
      probeLoop(Kind, Bytes);
  }
  float *D = nullptr;
  check("cudaMalloc", cudaMalloc(&D, Most));
  probeAccesses("explicit", D, Most);
  check("cudaFree", cudaFree(D));
  for (Backing Kind : Kinds)
    if (char *Base = allocateMemory(Kind, roundToPages(Most))) {
      probeAccesses(backingName(Kind), reinterpret_cast<float *>(Base), Most);
      freeMemory(Kind, Base, roundToPages(Most));
    }
  probeCopies(Most);
}

} // namespace

int main(int Count, char **Words) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  int Devices = 0;
  if (cudaError_t Error = cudaGetDeviceCount(&Devices); Error != cudaSuccess)
    fail("no usable device", Error);
  if (!Devices)
    fail("no usable device", cudaErrorNoDevice);
  cudaDeviceProp Properties;
  check("cudaGetDeviceProperties", cudaGetDeviceProperties(&Properties, 0));
  int Runtime = 0;
  cudaRuntimeGetVersion(&Runtime);
  DeviceKey Key;
  if (!deviceKey(0, Key))
    fail("the device's attributes", cudaErrorUnknown);
  printf("name %s\ndevices %d\ncompute %d.%d\nmemory %zu\n", Properties.name,
         Devices, Properties.major, Properties.minor,
         Properties.totalGlobalMem);
  printf("driver %d\nruntime %d\ndevice %s\n", driverVersion(), Runtime,
         Key.Text);
  for (const Fact &F : Facts)
    printf("attribute %s %d\n", F.Name, attribute(F.Attribute));
  char Path[512];
  if (profilePath(Key, Path, sizeof Path))
    printf("profile %s\n", Path);
  const Profile *P = profileOf(0);
  printf("profile-used %d\n", P != nullptr);
  printDecisions(P);
  if (Count > 1)
    probe(std::max<size_t>(strtoull(Words[1], nullptr, 10), 256 << 10));
  printf("done\n");
  return 0;
}
