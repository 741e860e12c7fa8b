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

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <sys/stat.h>

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

/// Asks for the places of a site's frames, once for each file.
void Symbols::findPlaces(const Trace &T, uint64_t Site, size_t From,
                         size_t Until) {
  auto It = T.Sites.find(Site);
  if (It == T.Sites.end())
    return;
  std::map<File *, std::vector<uint64_t>> Wanted;
  for (size_t I = From; I < std::min(Until, It->second.size()); ++I) {
    File &F = file(T, It->second[I].Module);
    const uint64_t Call = callAt(It->second[I]);
    if (F.Table.hasLines() && F.Places.insert({Call, {}}).second)
      Wanted[&F].push_back(Call);
  }
  for (auto &[F, Addresses] : Wanted) {
    auto Places = placesAt(F->Path, Addresses);
    for (size_t I = 0; I < Addresses.size(); ++I)
      F->Places[Addresses[I]] = std::move(Places[I]);
  }
}

std::vector<SourcePlace> Symbols::places(const Trace &T, uint64_t Site) {
  std::vector<SourcePlace> Out;
  auto It = T.Sites.find(Site);
  if (It == T.Sites.end())
    return Out;
  findPlaces(T, Site, 0, It->second.size());
  for (const CodeAddress &Frame : It->second) {
    const File &F = file(T, Frame.Module);
    auto Found = F.Places.find(callAt(Frame));
    if (Found == F.Places.end() || Found->second.empty())
      break;
    Out.insert(Out.end(), Found->second.begin(), Found->second.end());
  }
  return Out;
}

int64_t Symbols::writtenAt(const Trace &T, uint64_t Site) {
  auto It = T.Sites.find(Site);
  if (It == T.Sites.end() || It->second.empty())
    return 0;
  const std::string &Path = file(T, It->second[0].Module).Path;
  struct stat S;
  if (Path.empty() || stat(Path.c_str(), &S))
    return 0;
  return int64_t(S.st_mtim.tv_sec) * 1000000000 + S.st_mtim.tv_nsec;
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
  findPlaces(T, Site, Index, Index + 1);
  const CodeAddress &Address = T.Sites.at(Site)[Index];
  const uint64_t Call = callAt(Address);
  const File &F = file(T, Address.Module);
  std::string Name = F.Table.nameAt(Call);
  if (auto Found = F.Places.find(Call);
      Found != F.Places.end() && !Found->second.empty())
    Name += (Name.empty() ? "" : ", ") + lineText(Found->second);
  return Name.empty() ? Place : fmt::format("{} ({})", Place, Name);
}

std::vector<std::string> Symbols::frames(const Trace &T, uint64_t Site,
                                         size_t Most) {
  std::vector<std::string> Out;
  findPlaces(T, Site, 0, Most);
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
