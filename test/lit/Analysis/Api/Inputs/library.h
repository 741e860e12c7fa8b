// A few functions of the real libraries, so that the tests need none of them;
// clang itself includes curand.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../../Inputs/case.h"
#include <cstdint>

extern "C" {
typedef struct cublasContext *cublasHandle_t;
int cublasCreate_v2(cublasHandle_t *);
int cublasDestroy_v2(cublasHandle_t);
int cublasSetStream_v2(cublasHandle_t, cudaStream_t);
int cublasSetWorkspace_v2(cublasHandle_t, void *, size_t);
int cublasSscal_v2(cublasHandle_t, int n, const float *alpha, float *x, int);
int cublasSdot_v2(cublasHandle_t, int n, const float *x, int, const float *y,
                  int, float *result);
int cublasSgemm_v2(cublasHandle_t, int, int, int m, int n, int k,
                   const float *alpha, const float *A, int, const float *B,
                   int, const float *beta, float *C, int);
int cublasGetVector(int n, int size, const void *x, int, void *y, int);
int cublasSgemmBatched(cublasHandle_t, int, int, int m, int n, int k,
                       const float *alpha, const float *const A[], int,
                       const float *const B[], int, const float *beta,
                       float *const C[], int, int);

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDesc *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayout *cublasLtMatrixLayout_t;
int cublasLtCreate(cublasLtHandle_t *);
int cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *, int compute, int scale);
int cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t, int name,
                                   const void *value, size_t);
int cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t, int name, void *value,
                                   size_t, size_t *);
int cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t);
int cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *, int type,
                               uint64_t rows, uint64_t cols, int64_t ld);
int cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t, const void *alpha,
                   const void *A, cublasLtMatrixLayout_t, const void *B,
                   cublasLtMatrixLayout_t, const void *beta, const void *C,
                   cublasLtMatrixLayout_t, void *D, cublasLtMatrixLayout_t,
                   const void *algo, void *workspace, size_t, cudaStream_t);

typedef int cufftHandle;
int cufftPlan1d(cufftHandle *, int nx, int type, int batch);
int cufftSetStream(cufftHandle, cudaStream_t);
int cufftExecC2C(cufftHandle, float *in, float *out, int direction);
int cufftExecC2R(cufftHandle, float *in, float *out);
int cufftDestroy(cufftHandle);

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
int cusparseCreate(cusparseHandle_t *);
int cusparseCreateDnVec(cusparseDnVecDescr_t *, int64_t n, void *values, int);
int cusparseDnVecGetValues(cusparseDnVecDescr_t, void **values);
int cusparseCreateCsr(cusparseSpMatDescr_t *, int64_t rows, int64_t cols,
                      int64_t nnz, void *offsets, void *columns, void *values,
                      int, int, int, int);
int cusparseSpMV(cusparseHandle_t, int, const void *alpha, cusparseSpMatDescr_t,
                 cusparseDnVecDescr_t x, const void *beta,
                 cusparseDnVecDescr_t y, int, int, void *buffer);
int cusparseSpMV_preprocess(cusparseHandle_t, int, const void *alpha,
                            cusparseSpMatDescr_t, cusparseDnVecDescr_t x,
                            const void *beta, cusparseDnVecDescr_t y, int, int,
                            void *buffer);
int cusparseDestroyDnVec(cusparseDnVecDescr_t);

typedef struct cudnnContext *cudnnHandle_t;
typedef void *cudnnBackendDescriptor_t;
int cudnnCreate(cudnnHandle_t *);
int cudnnSetStream(cudnnHandle_t, cudaStream_t);
int cudnnBackendCreateDescriptor(int type, cudnnBackendDescriptor_t *);
int cudnnBackendSetAttribute(cudnnBackendDescriptor_t, int name, int type,
                             int64_t count, const void *array);
int cudnnBackendGetAttribute(const cudnnBackendDescriptor_t, int name, int type,
                             int64_t wanted, int64_t *count, void *array);
int cudnnBackendFinalize(cudnnBackendDescriptor_t);
int cudnnBackendExecute(cudnnHandle_t, cudnnBackendDescriptor_t plan,
                        cudnnBackendDescriptor_t pack);
int cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t);
}
