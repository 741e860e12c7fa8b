//===- NvccFlags.cpp - nvcc's command line in clang's words ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through the words once: a word that a row of NvccFlags.def names is
// nvcc's, any other is asked from clang's option table, which also says how
// many words it takes. Words for device code are put between clang's
// --start-no-unused-arguments and its end, because Makefiles give them to C
// files and links too.
//
//===----------------------------------------------------------------------===//
#include "NvccFlags.h"
#include "NvccArch.h"
#include "NvccInputs.h"
#include "NvccLists.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace echo {

namespace {
enum class Style { None, One, List, Number, Shared, Equal, Cuda };
enum class Action {
  Ignore,
  Note,
  Refuse,
  Words,
  Device,
  Join,
  Pair,
  Host,
  Choice,
  Special
};

struct Row {
  StringRef Long, Short;
  Style Takes;
  Action Does;
  StringRef Text;
};

/// A row that matched at a place of the command line.
struct Match {
  const Row *Flag;
  std::string Spelling; ///< as the user wrote it, for messages
  std::string Value;
  unsigned Used = 1; ///< words
};

class Translator {
public:
  /// \p AsNvcc: words that both compilers know have nvcc's meaning where the
  /// two differ.
  Translator(ArrayRef<std::string> Args, const ArchLimits &Limits, bool AsNvcc);
  Expected<Translated> run();
  /// After a run: true if words are lists in nvcc, and were not split.
  bool leftLists() const { return LeftLists && !Plain; }

private:
  Expected<std::optional<Match>> match(size_t At) const;
  std::optional<Match> matchRow(const Row &Flag, StringRef Name, bool TwoDashes,
                                size_t At) const;
  Error apply(const Match &M);
  Error choose(const Match &M);
  /// True if \p What is a flag that says what to make; then it is done.
  bool chooseOutput(StringRef What);
  Error special(const Match &M);
  Error clangs(ArrayRef<const char *> Words, unsigned &At, StringRef Where);
  bool list(const opt::Arg &A);
  Error host(const Match &M);
  void noteWarnings(const Match &M);
  Error expandFiles(unsigned Depth);
  void defaultOutput(StringRef Extension);

  void emit(ArrayRef<StringRef> Words);
  void emitDevice(ArrayRef<StringRef> Words);

  std::vector<std::string> Args;
  const bool AsNvcc;
  bool Plain = false; ///< Inputs::Plain
  bool Cuda = false;  ///< Inputs::Cuda
  bool LeftLists = false;
  Translated Result;
  ArchRequest Arch;
};
} // namespace

static const Row Rows[] = {
#define NVCC_FLAG(Long, Short, Takes, Does, Text)                              \
  {Long, Short, Style::Takes, Action::Does, Text},
#include "NvccFlags.def"
};

static const char *const StartQuiet = "--start-no-unused-arguments";
static const char *const EndQuiet = "--end-no-unused-arguments";

static bool isNumber(StringRef S) { return !S.empty() && all_of(S, isDigit); }

Translator::Translator(ArrayRef<std::string> Words, const ArchLimits &Limits,
                       bool AsNvcc)
    : Args(Words), AsNvcc(AsNvcc), Arch(Limits) {}

void Translator::emit(ArrayRef<StringRef> Words) {
  for (StringRef Word : Words)
    Result.Args.push_back(Word.str());
}

void Translator::emitDevice(ArrayRef<StringRef> Words) {
  if (!Result.Args.empty() && Result.Args.back() == EndQuiet)
    Result.Args.pop_back();
  else
    Result.Args.push_back(StartQuiet);
  emit(Words);
  Result.Args.push_back(EndQuiet);
}

//===----------------------------------------------------------------------===//
// Which row a word is
//===----------------------------------------------------------------------===//

/// The kinds of nvcc's -Werror, and what they are in clang ("": nothing).
static std::optional<StringRef> errorKind(StringRef Kind) {
  return StringSwitch<std::optional<StringRef>>(Kind)
      .Case("reorder", "-Werror=reorder")
      .Case("deprecated-declarations", "-Werror=deprecated-declarations")
      .Cases({"all-warnings", "cross-execution-space-call",
              "default-stream-launch", "missing-launch-bounds",
              "ext-lambda-captures-this"},
             "")
      .Default(std::nullopt);
}

static bool areErrorKinds(StringRef Value) {
  std::vector<std::string> Kinds = splitList(Value);
  return !Kinds.empty() && all_of(Kinds, [](StringRef Kind) {
    return errorKind(Kind).has_value();
  });
}

/// \p Flag at word \p At, whose text after the dashes starts with \p Name.
std::optional<Match> Translator::matchRow(const Row &Flag, StringRef Name,
                                          bool TwoDashes, size_t At) const {
  StringRef Word = StringRef(Args[At]).ltrim('-');
  StringRef Rest = Word.drop_front(Name.size());
  bool HasValue = Rest.consume_front("=");
  if (!HasValue && !Rest.empty()) {
    bool Joined = Flag.Takes == Style::Number && Name.size() == 1 && !Plain &&
                  !TwoDashes && isNumber(Rest);
    if (!Joined)
      return std::nullopt;
    HasValue = true;
  }
  Match M{&Flag, Args[At], Rest.str(), 1};
  M.Spelling = StringRef(M.Spelling).split('=').first.str();
  bool HasNext = At + 1 < Args.size();
  StringRef Next = HasNext ? StringRef(Args[At + 1]) : "";
  bool TakeNext = false;
  switch (Flag.Takes) {
  case Style::Cuda:
    if (Plain)
      return std::nullopt;
    [[fallthrough]];
  case Style::None:
    if (HasValue)
      return std::nullopt;
    break;
  case Style::Equal:
    if (Plain || (!HasValue && !TwoDashes))
      return std::nullopt;
    TakeNext = !HasValue;
    break;
  case Style::Number:
    TakeNext = !HasValue;
    if (!isNumber(HasValue ? StringRef(M.Value) : Next))
      return std::nullopt;
    break;
  case Style::Shared:
    if (!Cuda && !HasValue && !TwoDashes)
      return std::nullopt;
    TakeNext = !HasValue;
    break;
  case Style::One:
  case Style::List:
    TakeNext = !HasValue;
    if (Flag.Text == "Werror" && !areErrorKinds(HasValue ? M.Value : Next))
      return std::nullopt;
    break;
  }
  if (TakeNext) {
    M.Used = HasNext ? 2 : 0; // 0: the argument is missing
    M.Value = Next.str();
  }
  return M;
}

Expected<std::optional<Match>> Translator::match(size_t At) const {
  StringRef Word = Args[At];
  if (!Word.starts_with("-"))
    return std::nullopt;
  bool TwoDashes = Word.starts_with("--");
  StringRef Name = Word.drop_front(TwoDashes ? 2 : 1);
  for (const Row &Flag : Rows)
    for (StringRef Spelling : {Flag.Long, Flag.Short}) {
      if (Spelling.empty() || !Name.starts_with(Spelling))
        continue;
      std::optional<Match> M = matchRow(Flag, Spelling, TwoDashes, At);
      if (M && M->Used == 0)
        return createStringError("argument to '" + Word + "' is missing");
      if (M)
        return M;
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What a row does
//===----------------------------------------------------------------------===//

static Error badValue(const Match &M, const Twine &Allowed) {
  return createStringError("invalid value '" + M.Value + "' in '" + M.Spelling +
                           "': " + Allowed);
}

Error Translator::choose(const Match &M) {
  SmallVector<StringRef> Choices;
  M.Flag->Text.split(Choices, ';');
  std::string Allowed = "write ";
  ListSeparator Or(" or ");
  for (StringRef Choice : Choices) {
    auto [Value, Text] = Choice.split('=');
    Allowed += (StringRef(Or) + Value).str();
    if (Value != M.Value)
      continue;
    SmallVector<StringRef> Words;
    Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
    if (!Words.empty())
      emitDevice(Words);
    Result.PerThreadStream |= Value == "per-thread";
    return Error::success();
  }
  return badValue(M, Allowed);
}

/// Names the output as nvcc does, where the user did not and there is one
/// source.
void Translator::defaultOutput(StringRef Extension) {
  StringRef Source;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    Expected<std::optional<Match>> M = match(I);
    if (!M)
      return consumeError(M.takeError()); // told of when its turn comes
    if (*M && is_contained({"output-file", "o"}, (*M)->Flag->Long))
      return;
    if (*M) {
      I += (*M)->Used - 1;
      continue;
    }
    if (Arg.starts_with("-o"))
      return;
    if (!isSource(Arg, {".cu"}))
      continue;
    if (!Source.empty())
      return;
    Source = Arg;
  }
  if (!Source.empty())
    emit({"-o", (sys::path::stem(Source) + Extension).str()});
}

bool Translator::chooseOutput(StringRef What) {
  if (What == "cubin") {
    emit({"--cuda-device-only", "-c"});
    defaultOutput(".cubin");
  } else if (What == "fatbin") {
    emit({"--cuda-device-only", "--gpu-bundle-output", "-c"});
    defaultOutput(".fatbin");
  } else if (What == "ptx") {
    emit({"--cuda-device-only", "-S"});
    defaultOutput(".ptx");
  } else if (What == "cuda") {
    Result.HostSource = true;
    defaultOutput(".cu.cpp.ii");
  } else {
    return false;
  }
  return true;
}

Error Translator::special(const Match &M) {
  StringRef What = M.Flag->Text;
  StringRef Value = M.Value;
  if (What == "arch")
    return Arch.arch(Value);
  if (What == "gencode")
    return Arch.gencode(Value);
  if (chooseOutput(What))
    return Error::success();
  if (What == "code") {
    for (const std::string &Name : splitToolWords(Value))
      if (Error E = Arch.code(Name))
        return E;
  } else if (What == "list-gpu-arch" || What == "list-gpu-code") {
    const char *Prefix = What == "list-gpu-arch" ? "compute_" : "sm_";
    Result.Listed = "";
    for (unsigned Number : Arch.all())
      *Result.Listed += (Prefix + Twine(Number) + "\n").str();
  } else if (What == "device-c") {
    Result.DeviceCompile = true;
    emit({"-c"});
    emitDevice({"-fgpu-rdc"});
  } else if (What == "device-link") {
    Result.Dlink = true;
  } else if (What == "time") {
    if (Value.empty())
      return badValue(M, "name a file, or write - for standard output");
    Result.TimeFile = Value.str();
  } else if (What == "dryrun") {
    Result.DryRun = true;
  } else if (What == "run") {
    Result.Runs = true;
  } else if (What == "run-args") {
    append_range(Result.RunArgs, splitList(Value));
  } else if (What == "machine") {
    if (Value != "64")
      return badValue(M, "CUDA programs are 64-bit; write -m64");
    emit({"-m64"});
  } else if (What == "cudart") {
    if (!is_contained({"static", "shared", "none"}, Value))
      return badValue(M, "write static, shared or none");
    Result.CudaRt = Value.str();
  } else if (What == "Xlinker") {
    // One word for clang, a list for nvcc.
    std::vector<std::string> Parts = {Value.str()};
    if (!Plain)
      Parts = splitToolWords(Value);
    for (const std::string &Part : Parts)
      emit({"-Xlinker", Part});
  } else if (What == "maxrregcount") {
    if (!isNumber(Value))
      return badValue(M, "write a number of registers");
    emitDevice({"-Xcuda-ptxas", ("-maxrregcount=" + Value).str()});
  } else if (What == "Werror") {
    for (const std::string &Kind : splitList(Value)) {
      if (StringRef Flag = *errorKind(Kind); !Flag.empty())
        emit({Flag});
      if (Kind == "all-warnings")
        noteWarnings(M);
    }
  } else {
    llvm_unreachable("a special flag without code");
  }
  return Error::success();
}

/// What clang warns of and nvcc and GCC do not would end builds.
void Translator::noteWarnings(const Match &M) {
  Result.Notes.push_back("'" + M.Spelling + " " + M.Value +
                         "' has no effect: clang warns of other things; write "
                         "-Werror to make its warnings errors");
}

/// True for a flag that says how exact floating point arithmetic has to be.
static bool isFloatingPoint(StringRef Flag) {
  if (!Flag.consume_front("-f"))
    return false;
  Flag.consume_front("no-");
  StringRef Name = Flag.split('=').first;
  return Name.ends_with("-math") || Name.ends_with("-math-only") ||
         Name.ends_with("-math-optimizations") || Name.starts_with("fp-") ||
         is_contained({"math-errno", "signed-zeros", "approx-func",
                       "honor-nans", "honor-infinities"},
                      Name);
}

/// nvcc gives the host compiler's flags to host code alone. Here most reach
/// both sides; those that change the results of arithmetic do not.
Error Translator::host(const Match &M) {
  std::vector<std::string> Parts = splitToolWords(M.Value);
  if (is_contained(Parts, "-Werror"))
    noteWarnings(M);
  llvm::erase(Parts, "-Werror");
  for (std::string &Part : Parts)
    if (Part == "-Ofast") {
      Part = "-O3";
      emitDevice({"-Xarch_host", "-ffast-math"});
    }
  llvm::erase_if(Parts, [&](StringRef Part) {
    if (!isFloatingPoint(Part))
      return false;
    emitDevice({"-Xarch_host", Part});
    return true;
  });
  std::vector<const char *> Words;
  for (const std::string &Part : Parts)
    Words.push_back(Part.c_str());
  for (unsigned At = 0; At < Words.size();)
    if (Error E = clangs(Words, At, M.Spelling))
      return E;
  return Error::success();
}

/// True if clang++ would not take \p M, or not mean this by it.
static bool isNvccsAlone(const Match &M) {
  switch (M.Flag->Does) {
  case Action::Device:
  case Action::Host:
  case Action::Choice:
    return true;
  case Action::Special:
    return is_contained({"arch", "gencode", "code", "device-c"}, M.Flag->Text);
  default:
    return false;
  }
}

Error Translator::apply(const Match &M) {
  const Row &Flag = *M.Flag;
  Result.AsNvcc |= isNvccsAlone(M);
  SmallVector<StringRef> Words;
  switch (Flag.Does) {
  case Action::Ignore:
    return Error::success();
  case Action::Note:
    Result.Notes.push_back(
        ("'" + M.Spelling + "' has no effect: " + Flag.Text).str());
    return Error::success();
  case Action::Refuse:
    return createStringError("'" + M.Spelling +
                             "' is not supported: " + Flag.Text);
  case Action::Words:
  case Action::Device:
    Flag.Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
    Flag.Does == Action::Device ? emitDevice(Words) : emit(Words);
    return Error::success();
  case Action::Join:
  case Action::Pair: {
    bool Device =
        Flag.Text.starts_with("-Xcuda-") || Flag.Text.starts_with("-Xoffload-");
    for (const std::string &Value : splitValue(Flag.Text, M.Value)) {
      if (Flag.Does == Action::Join)
        emit({(Flag.Text + Value).str()});
      else if (Device)
        emitDevice({Flag.Text, Value});
      else
        emit({Flag.Text, Value});
    }
    return Error::success();
  }
  case Action::Host:
    return host(M);
  case Action::Choice:
    return choose(M);
  case Action::Special:
    return special(M);
  }
  llvm_unreachable("all actions are handled");
}

//===----------------------------------------------------------------------===//
// Words of clang, and of nobody
//===----------------------------------------------------------------------===//

/// The nearest spelling of nvcc's or clang's to \p Word, or "".
static std::string nearestSpelling(StringRef Word) {
  StringRef Name = Word.split('=').first;
  std::string Best;
  unsigned Distance = 1 + Name.size() / 4;
  std::string Clangs;
  unsigned D = clang::getDriverOptTable().findNearest(
      Name, Clangs, opt::Visibility(clang::options::ClangOption));
  if (D <= Distance) {
    Best = Clangs;
    Distance = D;
  }
  StringRef Dashes = Name.starts_with("--") ? "--" : "-";
  for (const Row &Flag : Rows)
    for (StringRef Spelling : {Flag.Long, Flag.Short}) {
      if (Spelling.size() < 2)
        continue;
      unsigned E = Name.ltrim('-').edit_distance(Spelling, true, Distance);
      if (E < Distance || (E == Distance && Best.empty())) {
        Best = (Dashes + Spelling).str();
        Distance = E;
      }
    }
  return Best;
}

/// True if \p A is a misspelt flag that clang reads as a short one with a
/// value ("-use_fastmath" as -u, "-lineinf" as -l, "-dlinc" as -d).
static bool isMisread(const opt::Arg &A, StringRef Word) {
  if (A.getOption().matches(clang::options::OPT_d_Joined)) {
    StringRef Letters = Word.drop_front(2);
    return !all_of(Letters,
                   [](char C) { return StringRef("ADHIMNPUpx").contains(C); });
  }
  if ((!A.getOption().matches(clang::options::OPT_u) &&
       !A.getOption().matches(clang::options::OPT_l)) ||
      Word.size() < 6)
    return false;
  for (const Row &Flag : Rows)
    for (StringRef Spelling : {Flag.Long, Flag.Short})
      if (Spelling.size() > 6 && Spelling[0] == Word[1] &&
          Word.drop_front().edit_distance(Spelling, true, 3) <= 2)
        return true;
  return false;
}

/// Passes \p A as nvcc reads it, if that is not as clang does, in a command of
/// nvcc's. What nvcc would make no macros of has clang's meaning.
bool Translator::list(const opt::Arg &A) {
  const StringRef Name = A.getSpelling();
  const bool Macros = Name == "-D" || Name == "-U";
  const bool Joins = Macros || is_contained({"-I", "-L", "-l"}, Name);
  if (!Joins && !is_contained({"-isystem", "-include"}, Name))
    return false;
  const std::vector<std::string> Parts = splitValue(Name, A.getValue());
  if (Parts.empty() || (Parts.size() == 1 && Parts[0] == A.getValue()) ||
      (Macros && !all_of(Parts, isMacro)))
    return false;
  LeftLists = !AsNvcc;
  if (LeftLists)
    return false;
  for (StringRef Part : Parts)
    Joins ? emit({(Name + Part).str()}) : emit({Name, Part});
  return true;
}

/// Passes clang's option or input at \p At, with all its words, and moves
/// \p At after it. \p Where: the flag that held the words, or "".
Error Translator::clangs(ArrayRef<const char *> Words, unsigned &At,
                         StringRef Where) {
  unsigned First = At;
  opt::InputArgList List(Words.begin(), Words.end());
  std::unique_ptr<opt::Arg> A = clang::getDriverOptTable().ParseOneArg(
      List, At, opt::Visibility(clang::options::ClangOption));
  StringRef Word = Words[First];
  if (A &&
      (A->getOption().getKind() == opt::Option::UnknownClass ||
       (A->getNumValues() == 1 && At == First + 1 && isMisread(*A, Word)))) {
    std::string Nearest = nearestSpelling(Word);
    return createStringError(
        "unknown argument '" + Word + "'" +
        (Where.empty() ? "" : " in '" + Where + "'") +
        (Nearest.empty() ? "" : "; did you mean '" + Nearest + "'?"));
  }
  if (!A) // An argument is missing; clang says so.
    At = Words.size();
  else if (Where.empty() && list(*A))
    return Error::success();
  for (unsigned I = First; I < At; ++I)
    Result.Args.push_back(Words[I]);
  return Error::success();
}

/// Puts the words of nvcc's --options-file in its place.
Error Translator::expandFiles(unsigned Depth) {
  for (size_t At = 0; At < Args.size(); ++At) {
    if (Args[At] == "--")
      break;
    Expected<std::optional<Match>> M = match(At);
    if (!M)
      return M.takeError();
    if (!*M || (*M)->Flag->Text != "options-file")
      continue;
    if (Depth == 0)
      return createStringError("'" + (*M)->Spelling +
                               "': files name each other without end");
    BumpPtrAllocator Memory;
    StringSaver Saver(Memory);
    SmallVector<const char *> Words;
    for (const std::string &File : splitList((*M)->Value)) {
      auto Text = MemoryBuffer::getFile(File);
      if (!Text)
        return createStringError("cannot read options file '" + File +
                                 "': " + Text.getError().message());
      cl::TokenizeGNUCommandLine((*Text)->getBuffer(), Saver, Words);
    }
    Args.erase(Args.begin() + At, Args.begin() + At + (*M)->Used);
    Args.insert(Args.begin() + At, Words.begin(), Words.end());
    return expandFiles(Depth - 1);
  }
  return Error::success();
}

Expected<Translated> Translator::run() {
  if (Error E = expandFiles(/*Depth=*/16))
    return std::move(E);
  Inputs What = inputsOf(Args);
  Plain = What == Inputs::Plain;
  Cuda = What == Inputs::Cuda;
  std::vector<const char *> Words;
  for (const std::string &Arg : Args)
    Words.push_back(Arg.c_str());
  unsigned At = 0;
  while (At < Args.size() && Args[At] != "--") {
    Expected<std::optional<Match>> M = match(At);
    if (!M)
      return M.takeError();
    if (!*M) {
      if (Error E = clangs(Words, At, ""))
        return std::move(E);
      continue;
    }
    if (Error E = apply(**M))
      return std::move(E);
    At += (*M)->Used;
  }
  // Makefiles name the architecture in links too; there it changes nothing.
  std::vector<std::string> Unused;
  Expected<std::vector<std::string>> Archs =
      Arch.finish(What == Inputs::Cuda ? Result.Notes : Unused);
  if (!Archs)
    return Archs.takeError();
  if (!Archs->empty())
    emitDevice(SmallVector<StringRef>(Archs->begin(), Archs->end()));
  moveLanguage(Result.Args, Result.AsNvcc, Result.Notes);
  for (; At < Args.size(); ++At) // "--" and what follows: inputs
    Result.Args.push_back(Args[At]);
  return std::move(Result);
}

Expected<Translated> translateNvccFlags(ArrayRef<std::string> Args,
                                        const ArchLimits &Limits) {
  Translator AsClang(Args, Limits, /*AsNvcc=*/false);
  Expected<Translated> Result = AsClang.run();
  if (Result && Result->AsNvcc && AsClang.leftLists())
    return Translator(Args, Limits, /*AsNvcc=*/true).run();
  return Result;
}

} // namespace echo
