// The unit beside other-units.cu; what it does, WHAT says.
#include <cuda_runtime.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef LIBRARY
#include <cublas_v2.h>
void setStream(cublasHandle_t handle) { cublasSetStream(handle, nullptr); }
#endif
#ifdef HOOK
#include <new>
#endif
#ifdef HELD
static void nothing(void *) {}
#endif
void other() {
#if defined(RESET)
  cudaDeviceReset();
#elif defined(CHILD)
  if (!fork())
    _exit(0);
  wait(nullptr);
#elif defined(HEAP)
  malloc_stats();
#elif defined(HOOK)
  std::set_new_handler(nullptr);
#elif defined(SELECT)
  cudaSetDevice(0);
#elif defined(HELD)
  cudaLaunchHostFunc(nullptr, nothing, nullptr);
#elif defined(CAPTURE)
  cudaStream_t own;
  cudaStreamCreate(&own);
  cudaStreamBeginCapture(own, cudaStreamCaptureModeRelaxed);
#else
  cudaDeviceSynchronize();
#endif
}
