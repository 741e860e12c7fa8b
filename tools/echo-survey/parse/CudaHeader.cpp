//===- CudaHeader.cpp - What CUDA declares, without CUDA ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the header: words of the language, types that declarations need,
// the vector types, all functions of CudaApi.def, and containers of thrust.
// Names that are missing here are guessed where they are used (UnknownNames).
//
//===----------------------------------------------------------------------===//
#include "parse/CudaHeader.h"

#include <fmt/format.h>

namespace echo::survey {

static const char *const Language = R"(
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device, annotate("managed")))
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __inline_hint__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(N) __attribute__((aligned(N)))
#define __builtin_align__(N) __attribute__((aligned(N)))
#define CUDART_CB
#define CUDAAPI
#define CUDARTAPI
#define CUDA_VERSION 13000
#define CUDART_VERSION 13000
typedef enum cudaError {
  cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2,
  cudaErrorNotReady = 600, cudaErrorUnknown = 999
} cudaError_t;
typedef enum cudaMemcpyKind {
  cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice, cudaMemcpyDefault
} cudaMemcpyKind;
enum {
  cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
  cudaHostAllocWriteCombined = 4, cudaHostRegisterDefault = 0,
  cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2
};
typedef struct CUstream_st *cudaStream_t, *CUstream;
typedef struct CUevent_st *cudaEvent_t, *CUevent;
typedef struct cudaArray *cudaArray_t;
typedef unsigned long long CUdeviceptr, cudaTextureObject_t, cudaSurfaceObject_t;
)";

/// Only for C++: launches, and classes that own memory.
static const char *const CxxOnly = R"(
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned X = 1, unsigned Y = 1,
                                     unsigned Z = 1) : x(X), y(Y), z(Z) {}
  __host__ __device__ constexpr dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
extern "C" cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, void * = 0);
namespace thrust {
template <class T> class device_ptr {
public:
  device_ptr(...);
  T *get() const;
  T &operator[](long) const;
  device_ptr operator+(long) const;
};
template <class T, class A = T> class host_vector {
public:
  host_vector(...);
  T *data();
  T *begin();
  T *end();
  T &operator[](long);
  size_t size() const;
  void resize(...);
};
template <class T, class A = T> class device_vector : public host_vector<T, A> {
public:
  device_vector(...);
};
template <class T> device_ptr<T> device_malloc(size_t);
template <class T> device_ptr<T> device_pointer_cast(T *);
template <class T> T *raw_pointer_cast(T *);
template <class T> T *raw_pointer_cast(device_ptr<T>);
} // namespace thrust
)";

/// The vector types, char1 to double4, and what makes them.
static std::string vectorTypes() {
  static const std::pair<const char *, const char *> Scalars[] = {
      {"char", "signed char"},
      {"uchar", "unsigned char"},
      {"short", "short"},
      {"ushort", "unsigned short"},
      {"int", "int"},
      {"uint", "unsigned"},
      {"long", "long"},
      {"ulong", "unsigned long"},
      {"longlong", "long long"},
      {"ulonglong", "unsigned long long"},
      {"float", "float"},
      {"double", "double"}};
  static const char *const Members[] = {"x", "x, y", "x, y, z", "x, y, z, w"};
  std::string Text;
  for (const auto &[Name, Type] : Scalars)
    for (int N = 1; N <= 4; ++N) {
      const std::string Full = fmt::format("{}{}", Name, N);
      Text += fmt::format("typedef struct {0} {{ {1} {2}; }} {0};\n", Full,
                          Type, Members[N - 1]);
      Text += fmt::format("ECHO_ANY({0}, make_{0})\n", Full);
    }
  return Text;
}

/// Every function of the CUDA runtime that Echo knows.
static std::string functions() {
  std::string Text;
  auto Add = [&Text](const std::string &Name) {
    const bool IsText =
        Name == "cudaGetErrorString" || Name == "cudaGetErrorName";
    // The header itself declares it, with its true parameters.
    if (Name != "__cudaPushCallConfiguration")
      Text += fmt::format("ECHO_ANY({}, {})\n",
                          IsText ? "const char *" : "cudaError_t", Name);
  };
#define CUDA_API(Name, Kind, Roles, Suffix, Row) Add(#Name);
#include "runtime/abi/CudaApi.def"
  return Text;
}

std::string cudaHeader() {
  std::string Text = "#ifndef ECHO_SURVEY_CUDA\n#define ECHO_SURVEY_CUDA\n";
  Text += Language;
  // A function that takes anything, on host and device.
  Text += "#ifdef __cplusplus\n"
          "#define ECHO_ANY(R, N) __host__ __device__ R N(...);\n"
          "#else\n#define ECHO_ANY(R, N) R N();\n#endif\n";
  Text += vectorTypes();
  Text += functions();
  Text += fmt::format("#ifdef __cplusplus\n{}#else\ntypedef uint3 dim3;\n"
                      "#endif\n#undef ECHO_ANY\n#endif\n",
                      CxxOnly);
  return Text;
}

const std::vector<std::string> &emptyHeaders() {
  static const std::vector<std::string> All = {"cuda.h",
                                               "cuda_runtime.h",
                                               "cuda_runtime_api.h",
                                               "driver_types.h",
                                               "vector_types.h",
                                               "vector_functions.h",
                                               "host_defines.h",
                                               "device_launch_parameters.h",
                                               "device_functions.h",
                                               "cuda_device_runtime_api.h",
                                               "builtin_types.h",
                                               "crt/host_defines.h"};
  return All;
}

} // namespace echo::survey
