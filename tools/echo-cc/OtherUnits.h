//===- OtherUnits.h - What the objects of a link may do ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit is analyzed alone, or with those that are bitcode. What it takes for
// granted of the others (runtime/abi/Premises.def) is looked up where they
// meet: in the undefined symbols of the objects, archives and shared libraries
// that a link is given. CUDA's and the system's own libraries are left out, as
// the models say what they do. Reads files and models; changes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_OTHERUNITS_H
#define ECHO_TOOLS_ECHOCC_OTHERUNITS_H

#include "Paths.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm::object {
class ObjectFile;
} // namespace llvm::object

namespace echo {

class OtherUnits {
public:
  /// Adds what object or shared library \p O uses. \p Merges: it has merged
  /// pairs, which its own functions were looked at for.
  void add(const llvm::object::ObjectFile &O, bool Merges);
  /// Adds shared library \p File. What is no such library adds nothing.
  void addLibrary(llvm::StringRef File);
  /// The link replaces calls of \p Name by others (--wrap).
  void addWrapped(llvm::StringRef Name) { Wrapped.insert(Name); }
  /// True if \p File is CUDA's, or in a folder of the system.
  static bool isOfSystem(llvm::StringRef File);

  /// The premises that some unit may break for another one's pairs, a bit mask
  /// of EchoPremise. \p Compiled: so many units of this link are compiled by
  /// the same command, and nothing is known of them. Fails where a model file
  /// cannot be read.
  llvm::Expected<uint32_t> broken(llvm::ArrayRef<std::string> ModelFiles,
                                  unsigned Compiled) const;
  /// The names of all wrapped functions.
  const llvm::StringSet<> &wrapped() const { return Wrapped; }

private:
  /// What units without and with merged pairs use.
  llvm::StringSet<> Plain, Merging;
  unsigned NumMerging = 0;
  bool HasRuntimes = false; ///< some library has a CUDA runtime inside
  llvm::StringSet<> Wrapped;
};

/// The objects that say of each premise in \p Broken that it may not hold.
std::vector<std::string> premiseObjects(uint32_t Broken, const Paths &Where);

} // namespace echo

#endif
