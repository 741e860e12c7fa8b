//===- Programs.cpp - Which programs this library can be in ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the ELF headers and the table of dynamic names. A script is what its
// first line names.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/Programs.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

namespace echo::dr {

#if defined(__x86_64__)
static constexpr unsigned Machine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr unsigned Machine = EM_AARCH64;
#endif

namespace {
using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Dynamic = ElfW(Dyn);

class File {
public:
  explicit File(const char *Path) : Fd(open(Path, O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (Fd >= 0)
      close(Fd);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  /// How many bytes at \p At could be read.
  size_t read(uint64_t At, void *Out, size_t Bytes) const {
    const ssize_t N =
        Fd < 0 ? -1 : pread(Fd, Out, Bytes, static_cast<off_t>(At));
    return N < 0 ? 0 : static_cast<size_t>(N);
  }

private:
  int Fd;
};

constexpr unsigned MostSegments = 64;
struct Segments {
  unsigned Count = 0;
  Segment At[MostSegments];

  const Segment *find(uint32_t Type) const {
    for (unsigned I = 0; I != Count; ++I)
      if (At[I].p_type == Type)
        return &At[I];
    return nullptr;
  }
  /// Where in the file the address \p A is; 0: nowhere.
  uint64_t offsetOf(uint64_t A) const {
    for (unsigned I = 0; I != Count; ++I)
      if (At[I].p_type == PT_LOAD && A - At[I].p_vaddr < At[I].p_filesz)
        return A - At[I].p_vaddr + At[I].p_offset;
    return 0;
  }
};
} // namespace

/// Names of which one is in the dynamic names of a program with a sanitizer.
static constexpr const char *Sanitizers[] = {"__asan_init", "__tsan_init",
                                             "__msan_init", "__hwasan_init",
                                             "__lsan_init", "__memprof_init"};

static bool namesSanitizer(const File &F, uint64_t At, uint64_t Bytes) {
  constexpr size_t Longest = 16;
  constexpr uint64_t MostBytes = 16 << 20;
  char Piece[4096];
  if (Bytes > MostBytes)
    Bytes = MostBytes;
  // Pieces overlap, so that each name is whole in one of them.
  for (uint64_t From = 0; From < Bytes; From += sizeof Piece - Longest) {
    const uint64_t Left = Bytes - From;
    const size_t N =
        F.read(At + From, Piece, Left < sizeof Piece ? Left : sizeof Piece);
    for (const char *Name : Sanitizers)
      if (memmem(Piece, N, Name, strlen(Name) + 1))
        return true;
    if (N < sizeof Piece)
      return false;
  }
  return false;
}

static bool hasSanitizer(const File &F, const Segments &S) {
  const Segment *D = S.find(PT_DYNAMIC);
  uint64_t Names = 0, Bytes = 0;
  for (uint64_t I = 0; D && I < D->p_filesz / sizeof(Dynamic); ++I) {
    Dynamic Entry;
    if (F.read(D->p_offset + I * sizeof Entry, &Entry, sizeof Entry) !=
            sizeof Entry ||
        Entry.d_tag == DT_NULL)
      break;
    if (Entry.d_tag == DT_STRTAB)
      Names = S.offsetOf(Entry.d_un.d_ptr);
    else if (Entry.d_tag == DT_STRSZ)
      Bytes = Entry.d_un.d_val;
  }
  return Names && namesSanitizer(F, Names, Bytes);
}

/// The loader of the GNU C library, wherever it is.
static bool isGlibcsLoader(const File &F, const Segment &Interpreter) {
  char Path[512];
  const size_t Bytes = Interpreter.p_filesz < sizeof Path - 1
                           ? Interpreter.p_filesz
                           : sizeof Path - 1;
  Path[F.read(Interpreter.p_offset, Path, Bytes)] = 0;
  const char *Slash = strrchr(Path, '/');
  const char *Name = Slash ? Slash + 1 : Path;
  return !strncmp(Name, "ld-linux", 8) || !strncmp(Name, "ld64.so", 7) ||
         !strncmp(Name, "ld-2.", 5) || !strncmp(Name, "ld.so", 5);
}

static bool canLoad(const char *Path, unsigned Scripts) {
  const File F(Path);
  char Start[256] = {};
  const size_t N = F.read(0, Start, sizeof Start - 1);
  if (N > 2 && Start[0] == '#' && Start[1] == '!') {
    char *Name = Start + 2 + strspn(Start + 2, " \t");
    Name[strcspn(Name, " \t\r\n")] = 0;
    return Scripts == 4 || canLoad(Name, Scripts + 1);
  }
  Header H;
  if (N < sizeof H || memcmp(Start, ELFMAG, SELFMAG))
    return true;
  if (Start[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
    return false;
  memcpy(&H, Start, sizeof H);
  if (H.e_machine != Machine)
    return false;
  Segments S;
  S.Count = H.e_phnum < MostSegments ? H.e_phnum : MostSegments;
  if (F.read(H.e_phoff, S.At, S.Count * sizeof(Segment)) !=
      S.Count * sizeof(Segment))
    return true;
  const Segment *Interpreter = S.find(PT_INTERP);
  return Interpreter && isGlibcsLoader(F, *Interpreter) && !hasSanitizer(F, S);
}

bool canLoadThis(const char *Path) { return canLoad(Path, 0); }

} // namespace echo::dr
