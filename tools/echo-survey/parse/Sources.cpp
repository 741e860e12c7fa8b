//===- Sources.cpp - Which files are surveyed -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A .cu file is always read, of C and C++ files those that look like CUDA.
// Where a project has one of these, its files that allocate are read, too. With
// a compilation database its files alone are looked at.
//
//===----------------------------------------------------------------------===//
#include "parse/Sources.h"

#include "clang/Tooling/JSONCompilationDatabase.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;
using llvm::StringRef;

namespace echo::survey {

bool looksLikeCudaHost(const std::string &Text) {
  for (const char *Word :
       {"cudaMalloc", "cudaMemcpy", "cudaHostAlloc", "cuMemAlloc", "cuMemcpy",
        "cuda_runtime", "<cuda.h>", "\"cuda.h\"", "thrust::device_vector"})
    if (Text.find(Word) != std::string::npos)
      return true;
  return false;
}

bool looksAllocating(const std::string &Text) {
  for (const char *Word : {"alloc(", "alloc (", "memalign", "_mm_malloc"})
    if (Text.find(Word) != std::string::npos)
      return true;
  return false;
}

/// A flag is written "-Ix" or "-I x"; the names are without that value.
std::vector<std::string> keptFlags(const std::vector<std::string> &Words) {
  std::vector<std::string> Kept;
  auto Keep = [&](std::string Flag, std::string Value) {
    Kept.push_back(std::move(Flag));
    Kept.push_back(std::move(Value));
  };
  for (size_t N = 0; N < Words.size(); ++N) {
    const std::string &Word = Words[N];
    const bool More = N + 1 < Words.size();
    if (StringRef(Word).starts_with("-std=") ||
        StringRef(Word).starts_with("--std=")) {
      const std::string Value = Word.substr(Word.find('=') + 1);
      // nvcc takes c++03, which Clang does too; the survey's header needs more.
      if (Value != "c++03" && Value != "c++98")
        Kept.push_back("-std=" + Value);
    } else if ((Word == "-std" || Word == "--std") && More) {
      Kept.push_back("-std=" + Words[++N]);
    } else if ((Word == "-isystem" || Word == "-iquote" || Word == "-include" ||
                Word == "-idirafter") &&
               More) {
      Keep(Word, Words[++N]);
    } else if ((Word == "-I" || Word == "-D" || Word == "-U") && More) {
      Kept.push_back(Word + Words[++N]);
    } else if (Word.size() > 2 && Word[0] == '-' &&
               StringRef("IDU").contains(Word[1])) {
      Kept.push_back(Word);
    }
  }
  return Kept;
}

static bool isSourceName(const fs::path &Path) {
  static const std::set<std::string> Endings = {".cu", ".cpp", ".cc", ".cxx",
                                                ".c"};
  return Endings.count(Path.extension().string()) != 0;
}

/// The text of \p Path; "" if it cannot be read or is too big to be written by
/// hand.
static std::string textOf(const fs::path &Path) {
  static constexpr uintmax_t MostBytes = 8 << 20;
  std::error_code Error;
  const uintmax_t Size = fs::file_size(Path, Error);
  if (Error || Size > MostBytes)
    return {};
  std::ostringstream Text;
  Text << std::ifstream(Path, std::ios::binary).rdbuf();
  return Text.str();
}

namespace {
enum class Content { Other, Allocates, Cuda };
} // namespace

static Content contentOf(const fs::path &Path) {
  if (!isSourceName(Path))
    return Content::Other;
  if (Path.extension() == ".cu")
    return Content::Cuda;
  const std::string Text = textOf(Path);
  if (looksLikeCudaHost(Text))
    return Content::Cuda;
  return looksAllocating(Text) ? Content::Allocates : Content::Other;
}

/// Removes the files of \p All that belong to no project with CUDA code;
/// \p Contents are those of the files.
static std::vector<Source> ofCuda(std::vector<Source> All,
                                  const std::vector<Content> &Contents) {
  std::set<std::string> Projects;
  for (size_t N = 0; N < All.size(); ++N)
    if (Contents[N] == Content::Cuda)
      Projects.insert(All[N].Project);
  std::vector<Source> Kept;
  for (Source &S : All)
    if (Projects.count(S.Project))
      Kept.push_back(std::move(S));
  std::sort(Kept.begin(), Kept.end(),
            [](const Source &A, const Source &B) { return A.Path < B.Path; });
  return Kept;
}

/// The first \p Depth folders of \p Path below \p Root, or the folder's name.
static std::string projectOf(const fs::path &Path, const fs::path &Root,
                             unsigned Depth) {
  const fs::path Below = Path.parent_path().lexically_relative(Root);
  fs::path Name;
  for (const fs::path &Part : Below)
    if (Depth-- > 0 && Part != ".")
      Name /= Part;
    else
      break;
  return Name.empty() ? Root.filename().string() : Name.string();
}

static std::vector<Source> ofDatabase(const fs::path &File, unsigned Depth) {
  std::string Error;
  const auto Database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      File.string(), Error, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Database)
    throw std::runtime_error(fmt::format("{}: {}", File.string(), Error));
  std::vector<Source> All;
  std::vector<Content> Contents;
  std::set<std::string> Seen;
  // Files of the database lie below the folder that they share.
  fs::path Root;
  for (const auto &Command : Database->getAllCompileCommands()) {
    const fs::path Path =
        fs::weakly_canonical(fs::path(Command.Directory) / Command.Filename);
    const Content Holds = contentOf(Path);
    if (Holds == Content::Other || !Seen.insert(Path.string()).second)
      continue;
    Contents.push_back(Holds);
    All.push_back({Path.string(), "", "", Command.Directory,
                   keptFlags(Command.CommandLine)});
    fs::path Shared;
    const fs::path Folder = Path.parent_path();
    if (All.size() == 1) {
      Root = Folder;
      continue;
    }
    for (auto A = Root.begin(), B = Folder.begin();
         A != Root.end() && B != Folder.end() && *A == *B; ++A, ++B)
      Shared /= *A;
    Root = Shared;
  }
  for (Source &S : All) {
    S.Root = (Root / "").string();
    S.Project = projectOf(S.Path, Root, Depth);
  }
  return ofCuda(std::move(All), Contents);
}

static std::vector<Source> ofFolder(const fs::path &Root, unsigned Depth) {
  std::vector<Source> All;
  std::vector<Content> Contents;
  std::error_code Error;
  fs::recursive_directory_iterator At(
      Root, fs::directory_options::skip_permission_denied, Error),
      End;
  for (; !Error && At != End; At.increment(Error)) {
    const std::string Name = At->path().filename().string();
    if (At->is_directory() && Name.starts_with(".")) {
      At.disable_recursion_pending();
      continue;
    }
    std::error_code Ignored;
    if (!At->is_regular_file(Ignored) || At->is_symlink(Ignored))
      continue;
    const Content Holds = contentOf(At->path());
    if (Holds == Content::Other)
      continue;
    Contents.push_back(Holds);
    All.push_back({At->path().string(),
                   (Root / "").string(),
                   projectOf(At->path(), Root, Depth),
                   At->path().parent_path().string(),
                   {}});
  }
  if (Error)
    throw std::runtime_error(
        fmt::format("{}: {}", Root.string(), Error.message()));
  return ofCuda(std::move(All), Contents);
}

std::vector<Source> findSources(const std::string &Path, unsigned Depth) {
  std::error_code Error;
  const fs::path Real = fs::canonical(Path, Error);
  if (Error)
    throw std::runtime_error(fmt::format("{}: {}", Path, Error.message()));
  if (fs::is_directory(Real))
    return ofFolder(Real, Depth);
  if (Real.extension() == ".json")
    return ofDatabase(Real, Depth);
  const fs::path Folder = Real.parent_path();
  return {{Real.string(),
           (Folder / "").string(),
           Folder.filename().string(),
           Folder.string(),
           {}}};
}

} // namespace echo::survey
