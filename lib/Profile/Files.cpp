//===- Files.cpp - Small files, whole or not at all -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Files.h. ELF files are read by their program headers, which stripped
// files keep; nothing in them is trusted.
//
//===----------------------------------------------------------------------===//
#include "Profile/Files.h"

#include "runtime/abi/FileHash.h"

#include <array>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace echo::drtool {

namespace fs = std::filesystem;

std::optional<std::string> readFile(const std::string &Path, uint64_t Most) {
  std::error_code Error;
  if (!fs::is_regular_file(Path, Error) || fs::file_size(Path, Error) > Most)
    return std::nullopt;
  std::ifstream In(Path, std::ios::binary);
  std::string Text((std::istreambuf_iterator<char>(In)),
                   std::istreambuf_iterator<char>());
  if (!In.good() && !In.eof())
    return std::nullopt;
  return Text;
}

std::string writeFile(const std::string &Path, const std::string &Text) {
  const fs::path Place = Path;
  const std::string New = Path + "." + std::to_string(getpid());
  std::error_code Error;
  if (Place.has_parent_path())
    fs::create_directories(Place.parent_path(), Error);
  {
    std::ofstream Out(New, std::ios::binary);
    Out << Text << std::flush;
    if (!Out && !Error)
      Error = std::error_code(errno ? errno : EIO, std::generic_category());
  }
  if (!Error)
    fs::rename(New, Place, Error);
  if (!Error)
    return "";
  std::error_code Ignored;
  fs::remove(New, Ignored);
  return "cannot write " + Path + ": " + Error.message();
}

namespace {

class Elf {
  std::ifstream In;

public:
  explicit Elf(const std::string &Path) : In(Path, std::ios::binary) {}

  bool read(uint64_t At, void *Out, size_t Size) {
    In.clear();
    In.seekg(std::streamoff(At));
    In.read(static_cast<char *>(Out), std::streamsize(Size));
    return bool(In) && size_t(In.gcount()) == Size;
  }
};

/// The descriptor of the note in \p Notes that is a build-id.
std::string buildIdIn(const std::string &Notes, uint64_t Align) {
  for (size_t At = 0; Notes.size() - At >= sizeof(Elf64_Nhdr);) {
    Elf64_Nhdr H;
    memcpy(&H, Notes.data() + At, sizeof H);
    At += sizeof H;
    const uint64_t Name = (uint64_t(H.n_namesz) + Align - 1) & ~(Align - 1);
    const uint64_t Data = (uint64_t(H.n_descsz) + Align - 1) & ~(Align - 1);
    if (Name > Notes.size() - At || H.n_descsz > Notes.size() - At - Name)
      return "";
    if (H.n_type == NT_GNU_BUILD_ID && H.n_namesz == 4 &&
        memcmp(Notes.data() + At, "GNU", 4) == 0)
      return Notes.substr(At + Name, H.n_descsz);
    if (Data > Notes.size() - At - Name)
      return "";
    At += Name + Data;
  }
  return "";
}

} // namespace

std::string buildIdOf(const std::string &Path) {
  Elf File(Path);
  Elf64_Ehdr H;
  if (!File.read(0, &H, sizeof H) || memcmp(H.e_ident, ELFMAG, SELFMAG) != 0 ||
      H.e_ident[EI_CLASS] != ELFCLASS64 || H.e_phentsize != sizeof(Elf64_Phdr))
    return "";
  for (unsigned I = 0; I < H.e_phnum; ++I) {
    Elf64_Phdr P;
    if (!File.read(H.e_phoff + uint64_t(I) * sizeof P, &P, sizeof P))
      return "";
    if (P.p_type != PT_NOTE || P.p_filesz > 1 << 16)
      continue;
    std::string Notes(P.p_filesz, '\0');
    if (!File.read(P.p_offset, Notes.data(), Notes.size()))
      continue;
    if (std::string Id = buildIdIn(Notes, P.p_align == 8 ? 8 : 4); !Id.empty())
      return Id;
  }
  return "";
}

namespace {
/// The file of records, read once: a program may read thousands of files.
class KeptHashes {
  std::map<std::array<uint64_t, 5>, uint64_t> Known;

  static std::array<uint64_t, 5> keyOf(const dr::FileState &S) {
    return {S.Device, S.Inode, S.Size, S.Modified, S.Changed};
  }

public:
  explicit KeptHashes(const std::string &Path) {
    struct stat S;
    if (Path.empty() || stat(Path.c_str(), &S) != 0 || S.st_uid != geteuid() ||
        S.st_mode & (S_IWGRP | S_IWOTH))
      return;
    const std::string Text = readFile(Path).value_or("");
    dr::HashRecord R;
    for (size_t At = 0; Text.size() - At >= sizeof R; At += sizeof R) {
      memcpy(&R, Text.data() + At, sizeof R);
      if (R.Check == dr::checkOf(R))
        Known[keyOf(R.State)] = R.Hash;
    }
  }
  uint64_t find(const dr::FileState &S) const {
    auto It = Known.find(keyOf(S));
    return It == Known.end() ? 0 : It->second;
  }
};
} // namespace

uint64_t contentsOf(const std::string &Path, const std::string &Cache) {
  struct stat S;
  if (!Cache.empty() && stat(Path.c_str(), &S) == 0 && S_ISREG(S.st_mode)) {
    static std::map<std::string, KeptHashes> All;
    const KeptHashes &Kept = All.try_emplace(Cache, Cache).first->second;
    // What may not be read has no contents, whatever they were once.
    if (const uint64_t Hash = Kept.find(dr::stateOf(S));
        Hash && access(Path.c_str(), R_OK) == 0)
      return Hash;
  }
  std::vector<char> Buffer(1 << 18);
  return dr::contentHash(Path.c_str(), Cache.c_str(), Buffer.data(),
                         Buffer.size());
}

uint64_t identityOf(const std::string &Path, const std::string &Cache) {
  if (std::string Id = buildIdOf(Path); !Id.empty())
    return dr::fnv1a(Id.data(), Id.size());
  return contentsOf(Path, Cache);
}

} // namespace echo::drtool
