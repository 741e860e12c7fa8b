//===- Onednn.cpp - Primitives of oneDNN ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates descriptors into oneDNN's. Scratch memory comes from the caller,
// because oneDNN's own belongs to the thread that made the primitive.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/dnn/Onednn.h"

#include <dlfcn.h>
#include <dnnl.h>

namespace echo::cpulibs {

namespace {
/// Limits the threads of OpenMP, which oneDNN uses, for the calling thread.
/// Primitives must be made and run under the same limit.
class ThreadLimit {
public:
  ThreadLimit() {
    if (get() && set()) {
      Before = get()();
      set()(int(echo_cpu_library_threads()));
    }
  }
  ~ThreadLimit() {
    if (Before)
      set()(Before);
  }
  ThreadLimit(const ThreadLimit &) = delete;
  ThreadLimit &operator=(const ThreadLimit &) = delete;

private:
  // Of whatever OpenMP the program has, which is what oneDNN uses then.
  using Get = int (*)();
  using Set = void (*)(int);
  static Get get() {
    static auto Fn =
        reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
    return Fn;
  }
  static Set set() {
    static auto Fn =
        reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
    return Fn;
  }
  int Before = 0;
};

struct Engine {
  dnnl_engine_t Cpu = nullptr;
  Engine() {
    if (dnnl_engine_create(&Cpu, dnnl_cpu, 0) != dnnl_success)
      Cpu = nullptr;
  }
};
} // namespace

static dnnl_engine_t engine() {
  static auto *E = new Engine;
  return E->Cpu;
}

namespace {
class OnednnPrimitive final : public Primitive {
public:
  OnednnPrimitive(const dnnl_memory_desc_t &In,
                  const dnnl_memory_desc_t &Weights,
                  const dnnl_memory_desc_t &Out)
      : In(In), Weights(Weights), Out(Out) {}
  ~OnednnPrimitive() override {
    if (P)
      dnnl_primitive_destroy(P);
  }
  /// Makes the primitive of operation \p Desc; false if there is none.
  bool make(const_dnnl_op_desc_t Desc) {
    ThreadLimit Limit;
    dnnl_primitive_attr_t Attr = nullptr;
    dnnl_primitive_desc_t PD = nullptr;
    bool Good = engine() && dnnl_primitive_attr_create(&Attr) == dnnl_success &&
                dnnl_primitive_attr_set_scratchpad_mode(
                    Attr, dnnl_scratchpad_mode_user) == dnnl_success &&
                dnnl_primitive_desc_create(&PD, Desc, Attr, engine(),
                                           nullptr) == dnnl_success &&
                dnnl_primitive_create(&P, PD) == dnnl_success;
    if (Good)
      Scratch = *dnnl_primitive_desc_query_md(PD, dnnl_query_scratchpad_md, 0);
    if (PD)
      dnnl_primitive_desc_destroy(PD);
    if (Attr)
      dnnl_primitive_attr_destroy(Attr);
    return Good;
  }
  size_t scratchBytes() const override {
    return dnnl_memory_desc_get_size(&Scratch);
  }
  void run(const void *From, const void *W, void *To,
           void *ScratchMemory) const override;

private:
  dnnl_memory_desc_t In, Weights, Out, Scratch{};
  dnnl_primitive_t P = nullptr;
};
} // namespace

void OnednnPrimitive::run(const void *From, const void *W, void *To,
                          void *ScratchMemory) const {
  ThreadLimit Limit;
  struct {
    int Name;
    const dnnl_memory_desc_t &Desc;
    const void *Data;
  } Wanted[] = {{DNNL_ARG_SRC, In, From},
                {DNNL_ARG_DST, Out, To},
                {DNNL_ARG_WEIGHTS, Weights, W},
                {DNNL_ARG_SCRATCHPAD, Scratch, ScratchMemory}};
  dnnl_exec_arg_t Args[4];
  int Count = 0;
  bool Good = true;
  for (const auto &A : Wanted) {
    if (!A.Desc.ndims)
      continue;
    Args[Count].arg = A.Name;
    if (dnnl_memory_create(&Args[Count].memory, &A.Desc, engine(),
                           const_cast<void *>(A.Data)) == dnnl_success)
      ++Count;
    else
      Good = false;
  }
  dnnl_stream_t Stream = nullptr;
  Good = Good &&
         dnnl_stream_create(&Stream, engine(), dnnl_stream_default_flags) ==
             dnnl_success &&
         dnnl_primitive_execute(P, Stream, Count, Args) == dnnl_success &&
         dnnl_stream_wait(Stream) == dnnl_success;
  if (Stream)
    dnnl_stream_destroy(Stream);
  while (Count)
    dnnl_memory_destroy(Args[--Count].memory);
  if (!Good)
    echo_cpu_fail_work("oneDNN could not run a primitive");
}

static bool describe(const Tensor &T, dnnl_memory_desc_t &Desc) {
  dnnl_dims_t Dims, Strides;
  for (int I = 0; I != T.Rank; ++I) {
    Dims[I] = T.Dims[I];
    Strides[I] = T.Strides[I];
  }
  return dnnl_memory_desc_init_by_strides(&Desc, T.Rank, Dims, dnnl_f32,
                                          Strides) == dnnl_success;
}

/// A filter of \p Groups: oneDNN has a dimension for them.
static Tensor splitGroups(const Tensor &Filter, int Groups) {
  if (Groups == 1)
    return Filter;
  Tensor T = Filter;
  T.Rank = Filter.Rank + 1;
  for (int I = Filter.Rank; I > 0; --I) {
    T.Dims[I] = Filter.Dims[I - 1];
    T.Strides[I] = Filter.Strides[I - 1];
  }
  T.Dims[0] = Groups;
  T.Dims[1] = Filter.Dims[0] / Groups;
  T.Strides[0] = Filter.Strides[0] * T.Dims[1];
  return T;
}

std::shared_ptr<const Primitive> makeConvolution(const Tensor &X,
                                                 const Tensor &Filter,
                                                 const Window &W, int Groups,
                                                 const Tensor &Y) {
  dnnl_memory_desc_t In, Weights, Out;
  if (!describe(X, In) || !describe(Y, Out) ||
      !describe(splitGroups(Filter, Groups), Weights))
    return nullptr;
  dnnl_dims_t Strides, Dilations, Padding;
  for (int I = 0; I != W.Rank; ++I) {
    Strides[I] = W.Stride[I];
    Dilations[I] = W.Dilation[I] - 1;
    Padding[I] = W.Padding[I];
  }
  dnnl_convolution_desc_t Desc;
  if (dnnl_dilated_convolution_forward_desc_init(
          &Desc, dnnl_forward_inference, dnnl_convolution_direct, &In, &Weights,
          nullptr, &Out, Strides, Dilations, Padding, Padding) != dnnl_success)
    return nullptr;
  auto P = std::make_shared<OnednnPrimitive>(In, Weights, Out);
  return P->make(&Desc) ? P : nullptr;
}

static dnnl_alg_kind_t algorithm(cudnnPoolingMode_t Mode) {
  switch (Mode) {
  case CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING:
    return dnnl_pooling_avg_include_padding;
  case CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING:
    return dnnl_pooling_avg_exclude_padding;
  default:
    return dnnl_pooling_max;
  }
}

std::shared_ptr<const Primitive> makePooling(const Tensor &X, const Window &W,
                                             cudnnPoolingMode_t Mode,
                                             const Tensor &Y) {
  dnnl_memory_desc_t In, Out;
  if (!describe(X, In) || !describe(Y, Out))
    return nullptr;
  dnnl_dims_t Size, Strides, Padding, Dilations = {};
  for (int I = 0; I != W.Rank; ++I) {
    Size[I] = W.Size[I];
    Strides[I] = W.Stride[I];
    Padding[I] = W.Padding[I];
  }
  dnnl_pooling_v2_desc_t Desc;
  if (dnnl_pooling_v2_forward_desc_init(
          &Desc, dnnl_forward_inference, algorithm(Mode), &In, &Out, Strides,
          Size, Dilations, Padding, Padding) != dnnl_success)
    return nullptr;
  auto P = std::make_shared<OnednnPrimitive>(In, dnnl_memory_desc_t{}, Out);
  return P->make(&Desc) ? P : nullptr;
}

} // namespace echo::cpulibs
