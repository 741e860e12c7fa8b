//===- Processes.cpp - Writes what the process began with -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/OwnProcess.h"
#include "runtime/dr/trace/Writer.h"

namespace echo::dr {

void writeProcess() {
  const OwnProcess &P = ownProcess();
  if (!P.Known)
    return;
  for (unsigned I = 0; I != P.NumVariables; ++I) {
    TraceRecord V;
    V.Kind = static_cast<uint8_t>(Record::ProcessVariable);
    V.A = P.Variables[I].Value;
    writeText(V, P.Variables[I].Text);
  }
  TraceRecord R;
  R.Kind = static_cast<uint8_t>(Record::Process);
  R.Flags = P.Flags;
  R.A = P.Arguments;
  R.B = P.Folder;
  R.Bytes = P.Input;
  R.Site = P.Inherited;
  R.Stream = P.Limits;
  writeRecord(R);
}

} // namespace echo::dr
