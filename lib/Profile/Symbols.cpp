//===- Symbols.cpp - Names for code addresses -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Symbols.h. Offsets of a trace are those of the file's own addresses
// (its load base is 0 for position-independent ones).
//
//===----------------------------------------------------------------------===//
#include "Profile/Symbols.h"

#include "Profile/Files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace echo::drtool {

/// A table of \p Text, which may be damaged; empty if it lies outside.
template <typename Row>
static std::vector<Row> rowsAt(const std::string &Text, uint64_t At,
                               uint64_t Count) {
  std::vector<Row> Rows;
  if (At > Text.size() || Count > (Text.size() - At) / sizeof(Row))
    return Rows;
  Rows.resize(Count);
  if (Count)
    memcpy(static_cast<void *>(Rows.data()), Text.data() + At,
           Count * sizeof(Row));
  return Rows;
}

static std::string textAt(const std::string &Text, const Elf64_Shdr &Strings,
                          uint64_t Index) {
  if (Strings.sh_offset > Text.size() ||
      Strings.sh_size > Text.size() - Strings.sh_offset ||
      Index >= Strings.sh_size)
    return "";
  const char *From = Text.data() + Strings.sh_offset + Index;
  return std::string(From, strnlen(From, Strings.sh_size - Index));
}

SymbolTable::SymbolTable(const std::string &Path) {
  const std::optional<std::string> Read = readFile(Path, uint64_t(256) << 20);
  if (!Read || Read->size() < sizeof(Elf64_Ehdr))
    return;
  const std::string &Text = *Read;
  Elf64_Ehdr H;
  memcpy(&H, Text.data(), sizeof H);
  if (memcmp(H.e_ident, ELFMAG, SELFMAG) != 0 ||
      H.e_ident[EI_CLASS] != ELFCLASS64 || H.e_shentsize != sizeof(Elf64_Shdr))
    return;
  const std::vector<Elf64_Shdr> Sections =
      rowsAt<Elf64_Shdr>(Text, H.e_shoff, H.e_shnum);
  for (const Elf64_Shdr &S : Sections) {
    if (H.e_shstrndx < Sections.size()) {
      const std::string Name = textAt(Text, Sections[H.e_shstrndx], S.sh_name);
      Lines |= Name == ".debug_line" || Name == ".gnu_debuglink";
    }
    if ((S.sh_type != SHT_SYMTAB && S.sh_type != SHT_DYNSYM) ||
        S.sh_link >= Sections.size())
      continue;
    for (const Elf64_Sym &Symbol :
         rowsAt<Elf64_Sym>(Text, S.sh_offset, S.sh_size / sizeof(Elf64_Sym)))
      if (ELF64_ST_TYPE(Symbol.st_info) == STT_FUNC && Symbol.st_value)
        Functions[Symbol.st_value] = {
            Symbol.st_size, textAt(Text, Sections[S.sh_link], Symbol.st_name)};
  }
}

std::string SymbolTable::nameAt(uint64_t Address) const {
  auto It = Functions.upper_bound(Address);
  if (It == Functions.begin())
    return "";
  --It;
  const auto &[Size, Name] = It->second;
  return Address - It->first < Size ? demangled(Name) : "";
}

std::string demangled(const std::string &Mangled) {
  if (!Mangled.starts_with("_Z")) // a type's name, for __cxa_demangle
    return Mangled;
  int Status = 0;
  char *Plain = abi::__cxa_demangle(Mangled.c_str(), nullptr, nullptr, &Status);
  std::string Out = Plain ? Plain : Mangled;
  free(Plain);
  return Out;
}

std::string shortName(const std::string &Name) {
  static const std::string Anonymous = "(anonymous namespace)";
  int Depth = 0;
  size_t From = 0;
  for (size_t I = 0; I < Name.size(); ++I) {
    const char C = Name[I];
    if (Name.compare(I, 8, "operator") == 0)
      return Name.substr(From); // brackets may be a part of its name
    if (C == '<')
      ++Depth;
    else if (C == '>')
      --Depth;
    else if (Depth == 0 && C == ' ')
      From = I + 1;
    else if (Depth == 0 && Name.compare(I, Anonymous.size(), Anonymous) == 0)
      I += Anonymous.size() - 1;
    else if (Depth == 0 && C == '(')
      return Name.substr(From, I - From);
  }
  return Name;
}

/// What the program \p Words prints; "" if there is none, or it fails.
static std::string outputOf(std::vector<std::string> Words) {
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC))
    return "";
  std::vector<char *> Argv;
  for (std::string &Word : Words)
    Argv.push_back(Word.data());
  Argv.push_back(nullptr);
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  posix_spawn_file_actions_addopen(&Files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&Files, Ends[1], 1);
  posix_spawn_file_actions_addopen(&Files, 2, "/dev/null", O_WRONLY, 0);
  pid_t Child = 0;
  const bool Started =
      !posix_spawnp(&Child, Argv[0], &Files, nullptr, Argv.data(), environ);
  posix_spawn_file_actions_destroy(&Files);
  close(Ends[1]);
  std::string Text;
  char Part[512];
  ssize_t Read;
  while (Started && ((Read = read(Ends[0], Part, sizeof Part)) > 0 ||
                     (Read < 0 && errno == EINTR)))
    if (Read > 0)
      Text.append(Part, size_t(Read));
  close(Ends[0]);
  int Status = 1;
  while (Started && waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  return Status ? "" : Text;
}

/// A line of addr2line as reports have it.
static std::string placeOf(std::string Text) {
  Text.erase(std::min(Text.find_first_of(" \n"), Text.size()));
  const size_t Colon = Text.rfind(':');
  if (Colon == std::string::npos || Text.starts_with('?') ||
      Text.find_first_not_of("0123456789", Colon + 1) != std::string::npos ||
      Text.ends_with(":0"))
    return "";
  return std::filesystem::path(Text).filename().string();
}

std::vector<std::string> linesAt(const std::string &Path,
                                 const std::vector<uint64_t> &Addresses) {
  std::vector<std::string> Out;
  constexpr size_t Most = 1000; // in one command line
  for (size_t At = 0; At < Addresses.size(); At += Most) {
    std::vector<std::string> Words = {"addr2line", "-e", Path};
    for (size_t I = At; I < std::min(At + Most, Addresses.size()); ++I)
      Words.push_back(fmt::format("{:#x}", Addresses[I]));
    std::istringstream In(outputOf(Words));
    std::string Line;
    for (size_t I = At; I < std::min(At + Most, Addresses.size()); ++I)
      Out.push_back(std::getline(In, Line) ? placeOf(Line) : "");
  }
  return Out;
}

std::string lineAt(const std::string &Path, uint64_t Address) {
  return linesAt(Path, {Address})[0];
}

Symbols::File &Symbols::file(const Trace &T, uint64_t Module) {
  std::unique_ptr<File> &F = Files[Module];
  if (F)
    return *F;
  auto It = T.Modules.find(Module);
  const std::string Path =
      It != T.Modules.end() && identityOf(It->second) == Module ? It->second
                                                                : "";
  F.reset(new File{SymbolTable(Path), Path, {}});
  return *F;
}

/// A return address follows its call.
static uint64_t callAt(const CodeAddress &Return) {
  return Return.Offset ? Return.Offset - 1 : 0;
}

/// Asks for the lines of a site's frames, once for each file.
void Symbols::findLines(const Trace &T, uint64_t Site, size_t From,
                        size_t Until) {
  auto It = T.Sites.find(Site);
  if (It == T.Sites.end())
    return;
  std::map<File *, std::vector<uint64_t>> Wanted;
  for (size_t I = From; I < std::min(Until, It->second.size()); ++I) {
    File &F = file(T, It->second[I].Module);
    const uint64_t Call = callAt(It->second[I]);
    if (F.Table.hasLines() && F.Lines.insert({Call, ""}).second)
      Wanted[&F].push_back(Call);
  }
  for (auto &[F, Addresses] : Wanted) {
    const std::vector<std::string> Lines = linesAt(F->Path, Addresses);
    for (size_t I = 0; I < Addresses.size(); ++I)
      F->Lines[Addresses[I]] = Lines[I];
  }
}

std::string Symbols::kernel(const Trace &T, uint64_t Function) {
  auto It = T.Kernels.find(Function);
  if (It == T.Kernels.end())
    return "";
  const Trace::Kernel &K = It->second;
  if (!K.Name.empty())
    return demangled(K.Name);
  if (!K.Place.Module)
    return "";
  std::string Name = file(T, K.Place.Module).Table.nameAt(K.Place.Offset);
  static const std::string Stub = "__device_stub__"; // of clang's
  if (const size_t At = Name.find(Stub); At != std::string::npos)
    Name.erase(At, Stub.size());
  return Name;
}

std::string Symbols::frame(const Trace &T, uint64_t Site, size_t Index) {
  std::string Place = T.frameText(Site, Index);
  if (Place.empty())
    return Place;
  findLines(T, Site, Index, Index + 1);
  const CodeAddress &Address = T.Sites.at(Site)[Index];
  const uint64_t Call = callAt(Address);
  const File &F = file(T, Address.Module);
  std::string Name = F.Table.nameAt(Call);
  if (auto Line = F.Lines.find(Call);
      Line != F.Lines.end() && !Line->second.empty())
    Name += (Name.empty() ? "" : ", ") + Line->second;
  return Name.empty() ? Place : fmt::format("{} ({})", Place, Name);
}

std::vector<std::string> Symbols::frames(const Trace &T, uint64_t Site,
                                         size_t Most) {
  std::vector<std::string> Out;
  findLines(T, Site, 0, Most);
  for (size_t I = 0; I < Most; ++I) {
    std::string Text = frame(T, Site, I);
    if (Text.empty())
      break;
    Out.push_back(std::move(Text));
  }
  if (Out.empty())
    Out.push_back(Site ? fmt::format("site {:016x}", Site) : "unseen");
  return Out;
}

} // namespace echo::drtool
