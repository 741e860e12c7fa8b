//===- OtherUnits.h - What the objects of a link may do ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit is analyzed alone, or with those that are bitcode. What it takes for
// granted of the others (runtime/abi/Premises.def) is looked up where they
// meet: in the undefined symbols of all that the link job is given, and of the
// libraries that those need. CUDA's, Echo's and the system's own libraries are
// left out, as the models say what they do. What cannot be read may break every
// premise. Reads files and models; changes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_OTHERUNITS_H
#define ECHO_TOOLS_ECHOCC_OTHERUNITS_H

#include "driver/Paths.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm::object {
class ObjectFile;
class SymbolicFile;
} // namespace llvm::object

namespace echo {

class OtherUnits {
public:
  /// Looks into what a linker is given by \p Words. What is in one of
  /// \p TrustedFolders, besides the system's, is left out, as is bitcode where
  /// \p Lto: then all that is analyzed has it in sight.
  OtherUnits(llvm::ArrayRef<const char *> Words,
             llvm::ArrayRef<std::string> TrustedFolders, bool Lto);

  /// The premises that some unit may break for another one's pairs, a bit mask
  /// of EchoPremise. \p Compiled: so many units of this link are compiled by
  /// the same command, and nothing is known of them. Fails where a model file
  /// cannot be read.
  llvm::Expected<uint32_t> broken(llvm::ArrayRef<std::string> ModelFiles,
                                  unsigned Compiled) const;

  /// The files of the link that are not there yet.
  unsigned numMade() const { return NumMade; }

  /// Some object asks echort.
  bool hasMergedPairs() const { return NumMerging; }

  /// Some object holds kernels as host code.
  bool usesCpuDevice() const { return Cpu; }

  /// A library is made. Its users echort looks at where it runs.
  bool makesLibrary() const { return Shared; }

private:
  bool isTrusted(llvm::StringRef File) const;
  void addFile(llvm::StringRef File);
  void addContent(llvm::MemoryBufferRef Content, llvm::StringRef File);
  void addBitcode(const llvm::object::SymbolicFile &Bitcode);
  void addObject(const llvm::object::ObjectFile &O, llvm::StringRef File);
  void addLibrary(llvm::StringRef Name, bool Static);

  const bool Lto;
  std::vector<std::string> Trusted; ///< real paths
  std::vector<std::string> Folders;
  llvm::StringSet<> Seen;
  /// What units without and with merged pairs use.
  llvm::StringSet<> Plain, Merging;
  unsigned NumMerging = 0;
  unsigned NumMade = 0;
  bool Unknown = false; ///< something cannot be read
  bool Shared = false;
  bool Cpu = false;
  llvm::StringSet<> Wrapped;
};

/// The objects that tell echort what was seen: that a program or, with
/// \p Shared, a library was looked at, and of each premise in \p Broken that it
/// may not hold.
std::vector<std::string> noteObjects(uint32_t Broken, bool Shared,
                                     const Paths &Where);

} // namespace echo

#endif
