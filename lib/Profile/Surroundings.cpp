//===- Surroundings.cpp - What a program's result can depend on -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Surroundings.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Surroundings.h"

#include "Profile/Files.h"
#include "Profile/PathKinds.h"
#include "Profile/PlanStore.h"
#include "Profile/Polled.h"

#include "runtime/abi/FileHash.h"
#include "runtime/abi/Variables.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

namespace echo::drtool {

namespace fs = std::filesystem;

// Variables.

bool isLeftOut(const std::string &Name) {
  return dr::isLeftOutVariable(Name.c_str());
}

uint64_t variableHash(const std::string &Name) {
  const char *Value = getenv(Name.c_str());
  return Value ? dr::valueHash(Value) : 0;
}

static std::set<std::string> allVariables() {
  std::set<std::string> Names;
  for (char **Each = environ; *Each; ++Each) {
    std::string Name(*Each, strcspn(*Each, "="));
    if (!Name.empty() && !isLeftOut(Name))
      Names.insert(std::move(Name));
  }
  return Names;
}

/// Whether the ELF file \p Path names the C library's list of all variables,
/// which it then reads without asking for names. Also if that cannot be read.
static bool namesEnviron(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  auto Read = [&](uint64_t At, void *Out, size_t Size) {
    In.clear();
    In.seekg(std::streamoff(At));
    In.read(static_cast<char *>(Out), std::streamsize(Size));
    return size_t(In.gcount()) == Size;
  };
  Elf64_Ehdr H;
  if (!Read(0, &H, sizeof H) || memcmp(H.e_ident, ELFMAG, SELFMAG) != 0 ||
      H.e_ident[EI_CLASS] != ELFCLASS64 || H.e_shentsize != sizeof(Elf64_Shdr))
    return true;
  bool Any = false;
  for (unsigned I = 0; I < H.e_shnum; ++I) {
    Elf64_Shdr S;
    if (!Read(H.e_shoff + uint64_t(I) * sizeof S, &S, sizeof S))
      return true;
    constexpr uint64_t Most = uint64_t(256) << 20;
    if (S.sh_type != SHT_STRTAB || !(S.sh_flags & SHF_ALLOC) ||
        S.sh_size > Most)
      continue;
    Any = true;
    std::string Names(S.sh_size, '\0');
    if (!Read(S.sh_offset, Names.data(), Names.size()))
      return true;
    // A name may be the end of another one: __environ has environ in it.
    if (Names.find(std::string("environ\0", 8)) != std::string::npos)
      return true;
  }
  return !Any;
}

/// True if \p Path names the list for what asks it by name: the C library and
/// its loader. Echo's and CUDA's own libraries read it for themselves.
static bool asksByName(const std::string &Path) {
  // libc.so.6, libc-2.36.so, libnvidia-ml.so.1: what stands before the version.
  std::string Name = fs::path(Path).filename().string();
  Name.resize(std::min(Name.size(), Name.find(".so")));
  if (const size_t Dash = Name.find("-2."); Dash != std::string::npos)
    Name.resize(Dash);
  return startsWith(Name, "libnvidia-") || startsWith(Name, "ld-linux") ||
         std::set<std::string>{"libc", "ld", "libecho-dr", "libcuda",
                               "libcudart"}
             .count(Name);
}

/// Whether a process may read the list of all variables.
static bool mayReadAll(const Trace &T) {
  if (T.Variables.count(dr::AllVariablesName))
    return true;
  for (const auto &[Hash, Path] : T.Modules)
    if (!Path.empty() && (Hash == T.ExecutableHash || !asksByName(Path)) &&
        namesEnviron(Path))
      return true;
  return false;
}

/// What the C library and its loader read without asking through getenv of the
/// program's: for dates, options of the command line, messages, names of hosts,
/// locales, where libraries are and which of two functions counts, and how
/// memory is given out.
static constexpr const char *LibcsVariables[] = {"TZ",
                                                 "TZDIR",
                                                 "POSIXLY_CORRECT",
                                                 "NLSPATH",
                                                 "DATEMSK",
                                                 "MSGVERB",
                                                 "SEV_LEVEL",
                                                 "LOCALDOMAIN",
                                                 "HOSTALIASES",
                                                 "RES_OPTIONS",
                                                 "LOCPATH",
                                                 "GCONV_PATH",
                                                 "LANGUAGE",
                                                 "OUTPUT_CHARSET",
                                                 "LD_LIBRARY_PATH",
                                                 "LD_AUDIT",
                                                 "LD_DYNAMIC_WEAK",
                                                 "GLIBC_TUNABLES",
                                                 "MALLOC_ARENA_MAX",
                                                 "MALLOC_ARENA_TEST",
                                                 "MALLOC_CHECK_",
                                                 "MALLOC_MMAP_MAX_",
                                                 "MALLOC_MMAP_THRESHOLD_",
                                                 "MALLOC_PERTURB_",
                                                 "MALLOC_TOP_PAD_",
                                                 "MALLOC_TRIM_THRESHOLD_"};

static void takeVariables(PlanContext &C, const std::vector<Trace> &Traces) {
  std::set<std::string> Names(std::begin(LibcsVariables),
                              std::end(LibcsVariables));
  // A script, or what starts the program, reads what it likes and passes on.
  C.AllVariables = C.Command.Path != C.Executable.Path;
  for (const Trace &T : Traces) {
    for (const std::string &Name : T.Variables)
      if (!isLeftOut(Name) && dr::isVariable(Name.c_str()))
        Names.insert(Name);
    if (!C.AllVariables)
      C.AllVariables = mayReadAll(T);
  }
  if (C.AllVariables)
    Names.merge(allVariables());
  C.Variables.clear();
  for (const std::string &Name : Names) {
    if (C.Variables.size() == drplan::MostVariables) {
      C.Unseen = "the program reads more environment variables than are kept";
      break;
    }
    C.Variables.push_back({Name, variableHash(Name)});
  }
}

// Files.

/// The files that an argument may name: itself, or what follows a '=', or the
/// letter of an option.
static std::vector<std::string> namedIn(const std::string &Argument) {
  std::vector<std::string> Out = {Argument};
  if (const size_t Equals = Argument.find('='); Equals != std::string::npos)
    Out.push_back(Argument.substr(Equals + 1));
  if (Argument.size() > 2 && Argument[0] == '-' && Argument[1] != '-')
    Out.push_back(Argument.substr(2));
  if (Argument.size() > 1 && Argument[0] == '@')
    Out.push_back(Argument.substr(1));
  return Out;
}

/// What else of a file the program asked for; nothing where its contents tell,
/// or where the program itself made it what it is.
static void takeLooks(PlanContext &C, const std::string &Path, uint8_t Flags,
                      bool IsWritten, bool IsOpened) {
  std::vector<const char *> Words;
  if (Flags & dr::FileStated && !IsOpened)
    Words.push_back(IsWritten ? "sized" : "state");
  else if (Flags & dr::FileLooked && !IsOpened)
    Words.push_back("looked");
  if (Flags & dr::FileListed)
    Words.push_back("listed");
  if (Flags & dr::FileLink)
    Words.push_back("link");
  for (const char *What : Words) {
    if (C.Files.size() == drplan::MostFiles || !canBeKept(Path)) {
      C.Unseen = "the program asks of more files than a plan can hold";
      return;
    }
    C.Files.push_back(inputOf(Path, What, C.Written));
  }
}

/// Puts the files of \p Found, paths and what they are, into the key of \p C,
/// but those that the program changes. \p Written: what it writes.
static void keepFiles(PlanContext &C,
                      const std::map<std::string, std::string> &Found,
                      const std::set<std::string> &Written) {
  for (const auto &[Path, What] : Found) {
    // A folder that it writes into changes by that.
    const bool Changes =
        Written.count(Path) ||
        (What == "argument" &&
         std::any_of(Written.begin(), Written.end(), [&](const std::string &W) {
           return fs::path(W).parent_path() == fs::path(Path) ||
                  startsWith(W, (Path + "/").c_str());
         }));
    if (Changes)
      continue;
    if (C.Files.size() == drplan::MostFiles || !canBeKept(Path)) {
      C.Unseen = "the program uses more files than a plan can hold";
      continue;
    }
    C.Files.push_back(inputOf(Path, What));
  }
}

/// Puts into the key of \p C where the program looked for files.
static void keepLooks(PlanContext &C, const std::vector<Trace> &Traces,
                      const std::map<std::string, std::string> &Found,
                      const std::set<std::string> &Written) {
  std::map<std::string, uint8_t> Looks;
  for (const Trace &T : Traces)
    for (const auto &[Path, Flags] : T.Files)
      Looks[Path] |= Flags;
  std::set<std::string> Listed;
  for (const auto &[Path, Flags] : Looks)
    if (Flags & dr::FileListed)
      Listed.insert(asFolder(Path));
  // The list of its folder leaves out what the program writes.
  for (const std::string &Path : Written)
    if (Listed.count(folderOf(Path)))
      Looks[Path] |= dr::FileLooked;
  const bool OfPython = isOfPython(Traces);
  const bool FillsCache =
      OfPython || std::any_of(Written.begin(), Written.end(), isCache);
  for (const auto &[Path, Flags] : Looks)
    if (!isNoFile(Path) && !isDriversCache(Path) &&
        !(FillsCache && isCache(Path)) && !(OfPython && isPackages(Path)) &&
        !(Flags & dr::FileWritten && !(Flags & dr::FileStated) &&
          isScratch(Path)))
      takeLooks(C, Path, Flags, Written.count(Path) != 0,
                Found.count(Path) && !Written.count(Path));
}

/// True if what comes by \p Path is known to nobody beforehand.
static bool isPipe(const std::string &Path) {
  struct stat S;
  return stat(Path.c_str(), &S) == 0 &&
         (S_ISFIFO(S.st_mode) || S_ISSOCK(S.st_mode));
}

/// The file that TZ names, which the C library reads by itself; empty: none.
static std::string zoneFile() {
  const char *Zone = getenv("TZ"), *Folder = getenv("TZDIR");
  if (!Zone || !*Zone)
    return "";
  const fs::path Name = Zone + (*Zone == ':');
  const fs::path File =
      fs::path(Folder && *Folder ? Folder : "/usr/share/zoneinfo") / Name;
  std::error_code Error;
  return fs::is_regular_file(File, Error) ? File.string() : "";
}

/// A run that leaves a folder, a pipe or a link which was not there before may
/// make another one the next time, as programs do that number their runs. One
/// that it removed before, it makes each time.
static bool leavesNew(const std::string &Path, uint8_t Flags) {
  std::error_code Error;
  return Flags & dr::FileMade && !(Flags & dr::FileRemoved) &&
         !isNoFile(Path) && !isCache(Path + "/") && fs::exists(Path, Error);
}

/// What the profiled run wrote. Says in \p C what of the files closes the plan.
static std::set<std::string> writtenFiles(PlanContext &C,
                                          const std::vector<Trace> &Traces) {
  std::set<std::string> Written;
  for (const Trace &T : Traces) {
    if (T.MoreFiles)
      C.Unseen =
          "the program opens, looks for, or is handed, more files than are "
          "recorded";
    for (const auto &[Path, Flags] : T.Files) {
      if (leavesNew(Path, Flags))
        C.Unseen = "the profiled run made " + Path +
                   ", and may make another name each time: profile it again if "
                   "it makes that one only";
      if (Flags & dr::FileRead && isPipe(Path))
        C.Unseen = "the program reads the pipe " + Path +
                   ", whose contents are not known beforehand";
      if (Flags & dr::FileWritten && !isNoFile(Path) && !isScratch(Path)) {
        Written.insert(Path);
        if (Flags & dr::FileRead && !isCache(Path))
          C.Unseen = "the program reads " + Path + ", which it writes, too";
      }
    }
  }
  return Written;
}

/// The names whose state after a run is compared. What is gone from memory
/// counts: another run may leave it.
static void takeChanges(PlanContext &C, const std::vector<Trace> &Traces) {
  std::set<std::string> Names;
  for (const Trace &T : Traces) {
    Names.insert(T.Changed.begin(), T.Changed.end());
    for (const auto &[Path, Flags] : T.Files)
      if (Flags & dr::FileWritten)
        Names.insert(Path);
  }
  C.Changed.clear();
  for (const std::string &Path : Names) {
    if (isNoFile(Path) || isCache(Path))
      continue;
    if (C.Changed.size() == drplan::MostFiles || !canBeKept(Path)) {
      C.Unseen = "the program changes more files than a plan can hold, or one "
                 "whose name is no UTF-8";
      continue;
    }
    C.Changed.push_back(Path);
  }
}

static void takeFiles(PlanContext &C, const std::vector<Trace> &Traces) {
  std::map<std::string, std::string> Found; // path to what
  auto Add = [&](const std::string &Path, const char *What) {
    if (!Path.empty() && Path[0] == '/' && !isNoFile(Path))
      Found.emplace(Path, What); // the first word counts
  };
  C.Files.clear();
  C.Written.clear();
  Add(C.Command.Path, "program");
  Add(C.Script.Path, "script");
  Add(C.Executable.Path, "program");
  for (const Trace &T : Traces)
    for (const auto &[Hash, Path] : T.Modules)
      if (Hash != T.InterposerHash)
        Add(Path, "library");
  const std::set<std::string> Written = writtenFiles(C, Traces);
  const bool OfPython = isOfPython(Traces);
  for (const std::string &Argument : C.Arguments)
    for (const std::string &Name : namedIn(Argument)) {
      std::error_code Error;
      if (!Name.empty() && fs::exists(fs::path(C.Folder) / Name, Error))
        Add((fs::path(C.Folder) / Name).lexically_normal().string(),
            "argument");
    }
  for (const Trace &T : Traces)
    for (const auto &[Path, Flags] : T.Files)
      if (Flags & dr::FileRead && !isDriversCache(Path) &&
          !(Flags & dr::FileWritten && isScratch(Path)))
        Add(OfPython ? sourceOf(Path) : Path, "opened");
  for (const std::string &Path : Written)
    if (canBeKept(Path) && !isCache(Path) &&
        C.Written.size() < drplan::MostFiles)
      C.Written.push_back(Path);
  // The C library reads it by itself to give a local time.
  constexpr char Zone[] = "/etc/localtime";
  std::error_code Error;
  if (fs::exists(Zone, Error))
    Add(Zone, "opened");
  else
    takeLooks(C, Zone, dr::FileLooked, false, false);
  if (const std::string Rules = zoneFile(); !Rules.empty())
    Add(Rules, "opened");
  keepFiles(C, Found, Written);
  keepLooks(C, Traces, Found, Written);
}

void addOpened(PlanContext &C, const std::map<std::string, uint8_t> &Opened) {
  std::set<std::string> Known;
  for (const PlanInput &F : C.Files)
    Known.insert(F.Path);
  for (const auto &[Path, Flags] : Opened) {
    std::error_code Error;
    const bool IsFolder = fs::is_directory(Path, Error);
    if (startsWith(Path, "/proc/") && fs::path(Path).filename() == "environ")
      C.Unseen = "the program reads the list of all environment variables past "
                 "the C library";
    if (isNoFile(Path) || isDriversCache(Path) ||
        (Known.count(Path) && !IsFolder))
      continue;
    if (Flags & dr::FileWritten || isPipe(Path))
      C.Unseen = "the program opens " + Path +
                 " past the C library, where it is not followed";
    else if (C.Files.size() == drplan::MostFiles || !canBeKept(Path))
      C.Unseen = "the program uses more files than a plan can hold";
    else
      C.Files.push_back(
          inputOf(Path, IsFolder ? "listed" : "opened", C.Written));
  }
}

/// Processes that leave no trace may read what they like.
static void takeChildren(PlanContext &C, const std::vector<Trace> &Traces) {
  for (const Trace &T : Traces) {
    const auto Recorded =
        std::count_if(Traces.begin(), Traces.end(), [&](const Trace &Child) {
          return Child.ParentPid == T.Pid && &Child != &T;
        });
    if (T.Forks > unsigned(Recorded))
      C.Unseen = "the program makes child processes, whose files are not known";
    if (!T.Starts.empty())
      C.Unseen = "the program starts " + *T.Starts.begin() +
                 ", whose files are not known";
  }
}

// Processes.

static uint64_t valueIn(const Trace &T, const std::string &Name) {
  const auto It = T.Environment.find(Name);
  return It == T.Environment.end() ? 0 : It->second;
}

static bool isKept(const std::string &Name) {
  return !isLeftOut(Name) && dr::isPlainVariable(Name.data(), Name.size());
}

static PlanProcess processOf(const Trace &T) {
  PlanProcess P = {T.Began->Arguments, T.Began->Folder, T.Began->Input,
                   T.Began->Inherited, T.Began->Limits, {},
                   mayReadAll(T)};
  std::set<std::string> Names = T.Variables;
  Names.erase(dr::AllVariablesName);
  if (P.AllVariables)
    for (const auto &[Name, Value] : T.Environment)
      if (dr::isVariable(Name.c_str()))
        Names.insert(Name);
  for (const std::string &Name : Names)
    if (isKept(Name))
      P.Variables.push_back({Name, valueIn(T, Name)});
  return P;
}

static void takeProcesses(PlanContext &C, const std::vector<Trace> &Traces) {
  C.Processes.clear();
  size_t Variables = 0;
  for (const Trace &T : Traces) {
    if (T.ExecutableHash != C.Executable.Hash || !T.Began)
      continue;
    if (T.Began->Flags & dr::ProcessHasInputPipe)
      C.Unseen = "a process of the program reads a pipe of another process, "
                 "whose contents are not known beforehand";
    if (T.Began->Flags & dr::ProcessHasPipe)
      C.Unseen = "a process of the program inherits a pipe, whose contents "
                 "are not known beforehand";
    PlanProcess P = processOf(T);
    if (std::find(C.Processes.begin(), C.Processes.end(), P) !=
        C.Processes.end())
      continue;
    Variables += P.Variables.size();
    if (C.Processes.size() == drplan::MostProcesses ||
        Variables > drplan::MostProcessVariables)
      break; // they run as written
    C.Processes.push_back(std::move(P));
  }
}

bool beganAs(const PlanProcess &P, const Trace &T, bool NoInput) {
  if (!T.Began)
    return false;
  auto InputOf = [&](uint64_t Input) {
    return NoInput && Input == dr::ProcessInputLaunch ? dr::ProcessInputNone
                                                      : Input;
  };
  if (P.Arguments != T.Began->Arguments || P.Folder != T.Began->Folder ||
      InputOf(P.Input) != InputOf(T.Began->Input) ||
      P.Inherited != T.Began->Inherited || P.Limits != T.Began->Limits)
    return false;
  std::set<std::string> Known;
  for (const PlanVariable &V : P.Variables) {
    Known.insert(V.Name);
    if (valueIn(T, V.Name) != V.Hash)
      return false;
  }
  return !P.AllVariables ||
         std::all_of(T.Environment.begin(), T.Environment.end(),
                     [&](const auto &V) {
                       return !isKept(V.first) || Known.count(V.first) ||
                              !dr::isVariable(V.first.c_str());
                     });
}

void takeSurroundings(PlanContext &C, const std::vector<Trace> &Traces) {
  C.Unseen.reset();
  takeVariables(C, Traces);
  takeFiles(C, Traces);
  takeChanges(C, Traces);
  takeProcesses(C, Traces);
  takeChildren(C, Traces);
  takePolled(C, Traces);
  for (const Trace &T : Traces)
    if (T.Dropped || T.Short)
      C.Unseen = "the trace lacks records of what the program reads";
}

void refreshSurroundings(PlanContext &C) {
  for (PlanInput &F : C.Files)
    F = inputOf(F.Path, F.What, C.Written);
  for (PlanVariable &V : C.Variables) {
    const uint64_t Was = V.Hash;
    V.Hash = variableHash(V.Name);
    // A process that had it from here has it from here.
    for (PlanProcess &P : C.Processes)
      for (PlanVariable &Its : P.Variables)
        if (Its.Name == V.Name && Its.Hash == Was)
          Its.Hash = V.Hash;
  }
}

std::vector<std::string> changedFiles(const PlanContext &C) {
  std::vector<std::string> Out;
  for (const PlanInput &Was : C.Files) {
    const PlanInput Now = inputOf(Was.Path, Was.What, C.Written);
    if (Now == Was)
      continue;
    Out.push_back(!Now.Hash   ? Was.Path + " is not there any more"
                  : !Was.Hash ? Was.Path + " was not there"
                              : Was.Path + " has changed since");
  }
  return Out;
}

std::vector<std::string> changedVariables(const PlanContext &C) {
  std::vector<std::string> Out;
  std::set<std::string> Known;
  for (const PlanVariable &Was : C.Variables) {
    Known.insert(Was.Name);
    const uint64_t Now = variableHash(Was.Name);
    if (Now != Was.Hash)
      Out.push_back("the environment variable " + Was.Name +
                    (!Was.Hash ? " was not set"
                     : !Now    ? " is not set, and was"
                               : " is not what it was"));
  }
  if (C.AllVariables)
    for (const std::string &Name : allVariables())
      if (!Known.count(Name))
        Out.push_back("the environment variable " + Name + " was not set");
  return Out;
}

std::vector<std::string> dropChanged(PlanContext &C) {
  std::vector<std::string> Out;
  std::erase_if(C.Files, [&](const PlanInput &Was) {
    if (inputOf(Was.Path, Was.What, C.Written) == Was)
      return false;
    Out.push_back(Was.Path);
    return true;
  });
  return Out;
}

} // namespace echo::drtool
