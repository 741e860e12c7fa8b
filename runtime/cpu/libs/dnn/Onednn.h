//===- Onednn.h - Primitives of oneDNN ------------------------ -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions and poolings as oneDNN computes them. A primitive is made at the
// call, where it can still be refused, and runs later on another thread, on
// memory that it is given.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_DNN_ONEDNN_H
#define ECHO_RUNTIME_CPU_LIBS_DNN_ONEDNN_H

#include "runtime/cpu/libs/dnn/Descriptors.h"

#include <initializer_list>

namespace echo::cpulibs {

/// One of oneDNN's primitives with the memory descriptors of its arguments.
class Primitive {
public:
  virtual ~Primitive() = default;
  /// Bytes that a run needs beside its arguments.
  virtual size_t scratchBytes() const = 0;
  /// Runs it: \p In and \p Weights (null for a pooling) to \p Out.
  virtual void run(const void *In, const void *Weights, void *Out,
                   void *Scratch) const = 0;
};

/// The cross-correlation of \p X and \p Filter to \p Y; null if oneDNN has
/// none.
std::shared_ptr<const Primitive> makeConvolution(const Tensor &X,
                                                 const Tensor &Filter,
                                                 const Window &W, int Groups,
                                                 const Tensor &Y);
std::shared_ptr<const Primitive> makePooling(const Tensor &X, const Window &W,
                                             cudnnPoolingMode_t Mode,
                                             const Tensor &Y);

} // namespace echo::cpulibs

#endif
