//===- PremiseNamesTest.cpp - Names that echort looks for -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// runtime/abi/PremiseNames.def says what the models say. Where it does not, the
// test leaves the file as it has to be in its working folder.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Models.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace echo;

static std::string flagsOf(unsigned Traits) {
  llvm::SmallVector<llvm::StringRef, 4> Flags;
#define ECHO_PREMISE(Id, Bit, Words, Text)                                     \
  if (Traits & traitsIn(Words))                                                \
    Flags.push_back("ECHO_RELIES_" #Id);
#include "runtime/abi/Premises.def"
  return llvm::join(Flags, " | ");
}

TEST_CASE("names that break premises are those of the models") {
  ModelTable Models;
  for (const auto &Entry : std::filesystem::directory_iterator(ECHO_MODELS_DIR))
    if (Entry.path().extension() == ".model")
      REQUIRE_FALSE(llvm::errorToBool(Models.addFile(Entry.path().string())));
  std::map<std::string, std::string> Rows;
  for (const auto &Entry : Models.allTraits())
    if (std::string Flags = flagsOf(Entry.getValue()); !Flags.empty())
      Rows[Entry.getKey().str()] = Flags;
  const std::string File = ECHO_ABI_DIR "/PremiseNames.def";
  std::ifstream In(File);
  std::string Line, Head;
  while (std::getline(In, Line) && !llvm::StringRef(Line).starts_with("ECHO_"))
    Head += Line + "\n";
  std::string Wanted = Head;
  for (const auto &[Name, Flags] : Rows)
    Wanted += "ECHO_BREAKS(\"" + Name + "\", " + Flags + ")\n";
  Wanted += "\n#undef ECHO_BREAKS\n";
  In.clear();
  In.seekg(0);
  std::stringstream Is;
  Is << In.rdbuf();
  if (Is.str() != Wanted) {
    std::ofstream("PremiseNames.def") << Wanted;
    FAIL("copy PremiseNames.def from "
         << std::filesystem::current_path().string() << " to " << File);
  }
}
