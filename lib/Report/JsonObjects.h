//===- JsonObjects.h - What reports are read back with ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads objects of the JSON report. What is missing or of another type is left
// out or empty: a report may be of another version.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_JSONOBJECTS_H
#define ECHO_REPORT_JSONOBJECTS_H

#include "llvm/Support/JSON.h"

namespace echo {

/// The text at \p Key of \p O, or "".
inline llvm::StringRef textIn(const llvm::json::Object &O,
                              llvm::StringRef Key) {
  return O.getString(Key).value_or("");
}

/// Calls \p Each for the objects in the array at \p Key of \p In, in order.
template <class F>
void eachObject(const llvm::json::Object &In, llvm::StringRef Key, F Each) {
  if (const llvm::json::Array *All = In.getArray(Key))
    for (const llvm::json::Value &V : *All)
      if (const llvm::json::Object *O = V.getAsObject())
        Each(*O);
}

} // namespace echo

#endif
