// A few functions of NPP as its headers declare them, so that the tests need
// none of them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../../Inputs/case.h"

typedef struct {
  int width, height;
} NppiSize;
typedef struct {
  int x, y, width, height;
} NppiRect;
typedef struct {
  cudaStream_t hStream;
  int nCudaDeviceId, nMultiProcessorCount, nMaxThreadsPerMultiProcessor,
      nMaxThreadsPerBlock;
  size_t nSharedMemPerBlock;
  int nCudaDevAttrComputeCapabilityMajor, nCudaDevAttrComputeCapabilityMinor;
  unsigned int nStreamFlags;
  int nReserved0;
} NppStreamContext;

extern "C" {
int nppSetStream(cudaStream_t);
int nppGetStreamContext(NppStreamContext *);
float *nppiMalloc_32f_C1(int width, int height, int *step);
void nppiFree(void *);
int nppiSqr_32f_C1R(const float *src, int srcStep, float *dst, int dstStep,
                    NppiSize roi);
int nppiSqr_32f_C1R_Ctx(const float *src, int srcStep, float *dst, int dstStep,
                        NppiSize roi, NppStreamContext);
int nppiWarpAffine_32f_C1R(const float *src, NppiSize size, int srcStep,
                           NppiRect srcRoi, float *dst, int dstStep,
                           NppiRect dstRoi, const double coeffs[2][3],
                           int interpolation);
int nppiCopy_32f_C3P3R(const float *src, int srcStep, float *const dst[3],
                       int dstStep, NppiSize roi);
int nppiSum_32f_C1R(const float *src, int srcStep, NppiSize roi,
                    unsigned char *buffer, double *sum);
int nppiSumGetBufferHostSize_32f_C1R(NppiSize roi, int *bytes);
}
