//===- Polled.cpp - Names that a program asks of again and again ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Polled.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Polled.h"

#include "Profile/PathKinds.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace echo::drtool {

namespace fs = std::filesystem;

bool isOfPython(const std::vector<Trace> &Traces) {
  return std::any_of(Traces.begin(), Traces.end(), [](const Trace &T) {
    return std::any_of(T.Modules.begin(), T.Modules.end(), [](const auto &M) {
      const std::string Name = fs::path(M.second).filename().string();
      return startsWith(Name, "python") || startsWith(Name, "libpython");
    });
  });
}

/// Python asks each folder that it imports from, at each import, whether it has
/// changed: a name there is one of the program's sources.
static std::set<fs::path> importedFrom(const PlanContext &C,
                                       const std::vector<Trace> &Traces) {
  std::set<fs::path> Out = {fs::path(C.Script.Path).parent_path()};
  auto Add = [&](const std::string &Path) {
    const fs::path Folder = fs::path(Path).parent_path();
    Out.insert({Folder, Folder.parent_path()}); // a package's, too
  };
  for (const Trace &T : Traces) {
    for (const auto &[Hash, Path] : T.Modules)
      Add(Path);
    for (const auto &[Path, Flags] : T.Files)
      if (const std::string Source = sourceOf(Path);
          fs::path(Source).extension() == ".py")
        Add(Source);
  }
  return Out;
}

void takePolled(PlanContext &C, const std::vector<Trace> &Traces) {
  if (C.Unseen)
    return;
  const bool OfPython = isOfPython(Traces);
  const std::set<fs::path> Imports =
      OfPython ? importedFrom(C, Traces) : std::set<fs::path>();
  for (const Trace &T : Traces)
    for (const auto &[Path, Flags] : T.Polled) {
      const auto Its = T.Files.find(Path);
      const bool IsWritten =
          Its != T.Files.end() && Its->second & dr::FileWritten;
      if (isNoFile(Path) || isDriversCache(Path) ||
          (IsWritten && isScratch(Path)) ||
          (OfPython && (isPackages(Path) || isCache(Path) ||
                        (!(Flags & dr::FileListed) && Imports.count(Path)))))
        continue;
      C.Unseen = "the program looks at " + (canBeKept(Path) ? Path : "a file") +
                 " again and again, which others may change while it runs";
      return;
    }
}

} // namespace echo::drtool
