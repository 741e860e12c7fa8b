//===- LinkPremises.h - Tells a link what its units may break ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds objects to a link job that gets echort: one for each premise that other
// units of the link may break (OtherUnits.h). They are looked at before the
// jobs run or, where this command compiles several of them, when the link is
// next. What cannot be found out counts as broken. Changes link jobs only.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_LINKPREMISES_H
#define ECHO_TOOLS_ECHOCC_LINKPREMISES_H

#include "driver/CommandLine.h"
#include "driver/Options.h"
#include "driver/Paths.h"
#include "driver/Toolkit.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace clang::driver {
class Command;
class Compilation;
} // namespace clang::driver

namespace echo {

class LinkPremises {
public:
  /// All that is given must outlive the jobs.
  LinkPremises(const Paths &Where, const EchoOptions &Options,
               const ToolkitInfo &Toolkit, const CommandShape &Shape)
      : Where(Where), Options(Options), Toolkit(Toolkit), Shape(Shape) {}

  /// Adds them to the link jobs of \p C. \p AllMade: what this command compiles
  /// for them is there. Errors: a file of models cannot be read.
  llvm::Error add(clang::driver::Compilation &C, bool AllMade) const;

  /// Does so while the jobs of \p C run, once what they compile is there. An
  /// error goes to \p Say, and all premises count as broken.
  void addWhenMade(clang::driver::Compilation &C,
                   const std::function<void(llvm::Error)> &Say) const;

private:
  void addNotes(clang::driver::Compilation &C, clang::driver::Command &Job,
                uint32_t Broken, bool Shared) const;

  const Paths &Where;
  const EchoOptions &Options;
  const ToolkitInfo &Toolkit;
  const CommandShape &Shape;
};

} // namespace echo

#endif
