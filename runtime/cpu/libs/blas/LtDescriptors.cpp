//===- LtDescriptors.cpp - cuBLASLt's handles and descriptors -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates handles, layouts, operations and preferences, and sets and reads
// their attributes (LtAttributes.def). Any value may be set; calls that
// compute refuse those that they do not serve.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/LtDescriptors.h"

#include <cstddef>
#include <cstring>

using namespace echo::cpulibs;

namespace {
/// Where a descriptor keeps an attribute.
struct Field {
  int Attribute;
  size_t Offset, Size;
};

const Field LayoutFields[] = {
#define LT_LAYOUT(NAME, Type, Member, Default)                                 \
  {CUBLASLT_MATRIX_LAYOUT_##NAME, offsetof(LtLayout, Member), sizeof(Type)},
#include "LtAttributes.def"
};
const Field DescFields[] = {
#define LT_DESC(NAME, Type, Member, Default)                                   \
  {CUBLASLT_MATMUL_DESC_##NAME, offsetof(LtDesc, Member), sizeof(Type)},
#include "LtAttributes.def"
};
const Field PreferenceFields[] = {
#define LT_PREF(NAME, Type, Member, Default)                                   \
  {CUBLASLT_MATMUL_PREF_##NAME, offsetof(LtPreference, Member), sizeof(Type)},
#include "LtAttributes.def"
};
} // namespace

/// Null, with a line, where \p Fields does not have the attribute.
template <size_t N>
static const Field *fieldOf(const char *Function, const Field (&Fields)[N],
                            int Attribute) {
  for (const Field &F : Fields)
    if (F.Attribute == Attribute)
      return &F;
  sayUnsupported(Function, "this attribute");
  return nullptr;
}

template <size_t N>
static cublasStatus_t set(const char *Function, void *Descriptor,
                          const Field (&Fields)[N], int Attribute,
                          const void *From, size_t Size) {
  if (!Descriptor || !From)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Field *F = fieldOf(Function, Fields, Attribute);
  if (!F)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (Size != F->Size)
    return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(static_cast<char *>(Descriptor) + F->Offset, From, Size);
  return CUBLAS_STATUS_SUCCESS;
}

template <size_t N>
static cublasStatus_t get(const char *Function, const void *Descriptor,
                          const Field (&Fields)[N], int Attribute, void *To,
                          size_t Size, size_t *Written) {
  if (!Descriptor || (Size ? !To : !Written))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Field *F = fieldOf(Function, Fields, Attribute);
  if (!F)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (Size && Size != F->Size)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (Size)
    memcpy(To, static_cast<const char *>(Descriptor) + F->Offset, Size);
  if (Written)
    *Written = F->Size;
  return CUBLAS_STATUS_SUCCESS;
}

/// Puts \p Content into \p Size bytes of opaque memory.
template <typename T>
static cublasStatus_t init(void *Opaque, size_t Size, const T &Content) {
  if (!Opaque)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (Size < sizeof(T))
    return CUBLAS_STATUS_ALLOC_FAILED;
  new (Opaque) T(Content);
  return CUBLAS_STATUS_SUCCESS;
}

/// Makes an opaque structure with \p Content.
template <typename O, typename T>
static cublasStatus_t create(O **Out, const T &Content) {
  static_assert(sizeof(T) <= sizeof(O) && alignof(T) <= alignof(O));
  if (!Out)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Out = new (std::nothrow) O();
  return *Out ? init(*Out, sizeof(O), Content) : CUBLAS_STATUS_ALLOC_FAILED;
}

template <typename O> static cublasStatus_t destroy(O *Descriptor) {
  delete Descriptor;
  return CUBLAS_STATUS_SUCCESS;
}

static LtLayout layout(cudaDataType Type, uint64_t Rows, uint64_t Cols,
                       int64_t Ld) {
  LtLayout L;
  L.Type = Type;
  L.Rows = Rows;
  L.Cols = Cols;
  L.Ld = Ld;
  return L;
}

static LtDesc desc(cublasComputeType_t Compute, cudaDataType ScaleType) {
  LtDesc D;
  D.Compute = Compute;
  D.ScaleType = ScaleType;
  return D;
}

extern "C" {

// A handle of cuBLAS is one of cuBLASLt, too.
cublasStatus_t cublasLtCreate(cublasLtHandle_t *Out) {
  return cublasCreate_v2(reinterpret_cast<cublasHandle_t *>(Out));
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t H) {
  return cublasDestroy_v2(reinterpret_cast<cublasHandle_t>(H));
}
size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion(void) { return CUDART_VERSION; }
cublasStatus_t cublasLtGetProperty(libraryPropertyType Type, int *Value) {
  return cublasGetProperty(Type, Value);
}
const char *cublasLtGetStatusName(cublasStatus_t Status) {
  return cublasGetStatusName(Status);
}
const char *cublasLtGetStatusString(cublasStatus_t Status) {
  return cublasGetStatusString(Status);
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t L,
                                                 size_t Size, cudaDataType Type,
                                                 uint64_t Rows, uint64_t Cols,
                                                 int64_t Ld) {
  return init(L, Size, layout(Type, Rows, Cols, Ld));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *Out,
                                          cudaDataType Type, uint64_t Rows,
                                          uint64_t Cols, int64_t Ld) {
  return create(Out, layout(Type, Rows, Cols, Ld));
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t L) {
  return destroy(L);
}
cublasStatus_t
cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t L,
                                 cublasLtMatrixLayoutAttribute_t Attribute,
                                 const void *From, size_t Size) {
  return set("cublasLtMatrixLayoutSetAttribute", L, LayoutFields, Attribute,
             From, Size);
}
cublasStatus_t
cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t L,
                                 cublasLtMatrixLayoutAttribute_t Attribute,
                                 void *To, size_t Size, size_t *Written) {
  return get("cublasLtMatrixLayoutGetAttribute", L, LayoutFields, Attribute, To,
             Size, Written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t D,
                                               size_t Size,
                                               cublasComputeType_t Compute,
                                               cudaDataType_t ScaleType) {
  return init(D, Size, desc(Compute, ScaleType));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *Out,
                                        cublasComputeType_t Compute,
                                        cudaDataType_t ScaleType) {
  return create(Out, desc(Compute, ScaleType));
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t D) {
  return destroy(D);
}
cublasStatus_t
cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t D,
                               cublasLtMatmulDescAttributes_t Attribute,
                               const void *From, size_t Size) {
  return set("cublasLtMatmulDescSetAttribute", D, DescFields, Attribute, From,
             Size);
}
cublasStatus_t
cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t D,
                               cublasLtMatmulDescAttributes_t Attribute,
                               void *To, size_t Size, size_t *Written) {
  return get("cublasLtMatmulDescGetAttribute", D, DescFields, Attribute, To,
             Size, Written);
}

cublasStatus_t
cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t P,
                                      size_t Size) {
  return init(P, Size, LtPreference());
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *Out) {
  return create(Out, LtPreference());
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t P) {
  return destroy(P);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
    cublasLtMatmulPreference_t P,
    cublasLtMatmulPreferenceAttributes_t Attribute, const void *From,
    size_t Size) {
  return set("cublasLtMatmulPreferenceSetAttribute", P, PreferenceFields,
             Attribute, From, Size);
}
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(
    cublasLtMatmulPreference_t P,
    cublasLtMatmulPreferenceAttributes_t Attribute, void *To, size_t Size,
    size_t *Written) {
  return get("cublasLtMatmulPreferenceGetAttribute", P, PreferenceFields,
             Attribute, To, Size, Written);
}

} // extern "C"
