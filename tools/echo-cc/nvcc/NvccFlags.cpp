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
#include "nvcc/NvccFlags.h"
#include "nvcc/NvccArch.h"
#include "nvcc/NvccInputs.h"
#include "nvcc/NvccLists.h"
#include "nvcc/NvccMatch.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace echo {

namespace {
class Translator {
public:
  /// \p AsNvcc: words that both compilers know have nvcc's meaning where the
  /// two differ.
  Translator(ArrayRef<std::string> Args, const ArchLimits &Limits, bool AsNvcc);
  Expected<Translated> run();
  /// After a run: true if words are lists in nvcc, and were not split.
  bool leftLists() const { return LeftLists && What != Inputs::Plain; }

private:
  Expected<std::optional<NvccMatch>> match(size_t At) const {
    return matchFlag(Args, At, What);
  }
  Error apply(const NvccMatch &M);
  Error choose(const NvccMatch &M);
  /// True if \p Kind is a flag that says what to make; then it is done.
  bool chooseOutput(StringRef Kind);
  Error special(const NvccMatch &M);
  Error clangs(ArrayRef<const char *> Words, unsigned &At, StringRef Where);
  bool list(const opt::Arg &A);
  void warningErrors(const NvccMatch &M);
  Error host(const NvccMatch &M);
  void noteWarnings(const NvccMatch &M);
  Error expandFiles(unsigned Depth);
  void defaultOutput(StringRef Extension);

  void emit(ArrayRef<StringRef> Words);
  void emitDevice(ArrayRef<StringRef> Words);

  std::vector<std::string> Args;
  const bool AsNvcc;
  Inputs What = Inputs::Objects;
  bool LeftLists = false;
  Translated Result;
  ArchRequest Arch;
};
} // namespace

static const char *const StartQuiet = "--start-no-unused-arguments";
static const char *const EndQuiet = "--end-no-unused-arguments";

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
// What a row does
//===----------------------------------------------------------------------===//

static Error badValue(const NvccMatch &M, const Twine &Allowed) {
  return createStringError("invalid value '" + M.Value + "' in '" + M.Spelling +
                           "': " + Allowed);
}

Error Translator::choose(const NvccMatch &M) {
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
    Expected<std::optional<NvccMatch>> M = match(I);
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

bool Translator::chooseOutput(StringRef Kind) {
  if (Kind == "cubin") {
    emit({"--cuda-device-only", "-c"});
    defaultOutput(".cubin");
  } else if (Kind == "fatbin") {
    emit({"--cuda-device-only", "--gpu-bundle-output", "-c"});
    defaultOutput(".fatbin");
  } else if (Kind == "ptx") {
    emit({"--cuda-device-only", "-S"});
    defaultOutput(".ptx");
  } else if (Kind == "cuda") {
    Result.HostSource = true;
    defaultOutput(".cu.cpp.ii");
  } else {
    return false;
  }
  return true;
}

/// nvcc's -Werror: a list of kinds.
void Translator::warningErrors(const NvccMatch &M) {
  for (const std::string &Kind : splitList(M.Value)) {
    if (StringRef Flag = *clangsErrorKind(Kind); !Flag.empty())
      emit({Flag});
    if (Kind == "all-warnings")
      noteWarnings(M);
  }
}

Error Translator::special(const NvccMatch &M) {
  StringRef Text = M.Flag->Text;
  StringRef Value = M.Value;
  if (Text == "arch")
    return Arch.arch(Value);
  if (Text == "gencode")
    return Arch.gencode(Value);
  if (chooseOutput(Text))
    return Error::success();
  if (Text == "code") {
    for (const std::string &Name : splitToolWords(Value))
      if (Error E = Arch.code(Name))
        return E;
  } else if (Text == "list-gpu-arch" || Text == "list-gpu-code") {
    const char *Prefix = Text == "list-gpu-arch" ? "compute_" : "sm_";
    Result.Listed = "";
    for (unsigned Number : Arch.all())
      *Result.Listed += (Prefix + Twine(Number) + "\n").str();
  } else if (Text == "device-c") {
    Result.DeviceCompile = true;
    emit({"-c"});
    emitDevice({"-fgpu-rdc"});
  } else if (Text == "device-link") {
    Result.Dlink = true;
  } else if (Text == "time") {
    if (Value.empty())
      return badValue(M, "name a file, or write - for standard output");
    Result.TimeFile = Value.str();
  } else if (Text == "dryrun") {
    Result.DryRun = true;
  } else if (Text == "run") {
    Result.Runs = true;
  } else if (Text == "run-args") {
    append_range(Result.RunArgs, splitList(Value));
  } else if (Text == "machine") {
    if (Value != "64")
      return badValue(M, "CUDA programs are 64-bit; write -m64");
    emit({"-m64"});
  } else if (Text == "cudart") {
    if (!is_contained({"static", "shared", "none"}, Value))
      return badValue(M, "write static, shared or none");
    Result.CudaRt = Value.str();
  } else if (Text == "Xlinker") {
    // One word for clang, a list for nvcc.
    std::vector<std::string> Parts = {Value.str()};
    if (What != Inputs::Plain)
      Parts = splitToolWords(Value);
    for (const std::string &Part : Parts)
      emit({"-Xlinker", Part});
  } else if (Text == "maxrregcount") {
    if (!isDecimal(Value))
      return badValue(M, "write a number of registers");
    emitDevice({"-Xcuda-ptxas", ("-maxrregcount=" + Value).str()});
  } else if (Text == "Werror") {
    warningErrors(M);
  } else {
    llvm_unreachable("a special flag without code");
  }
  return Error::success();
}

/// What clang warns of and nvcc and GCC do not would end builds.
void Translator::noteWarnings(const NvccMatch &M) {
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
Error Translator::host(const NvccMatch &M) {
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
static bool isNvccsAlone(const NvccMatch &M) {
  switch (M.Flag->Does) {
  case NvccFlag::Device:
  case NvccFlag::Host:
  case NvccFlag::Choice:
    return true;
  case NvccFlag::Special:
    return is_contained({"arch", "gencode", "code", "device-c"}, M.Flag->Text);
  default:
    return false;
  }
}

Error Translator::apply(const NvccMatch &M) {
  const NvccFlag &Flag = *M.Flag;
  Result.AsNvcc |= isNvccsAlone(M);
  SmallVector<StringRef> Words;
  switch (Flag.Does) {
  case NvccFlag::Ignore:
    return Error::success();
  case NvccFlag::Note:
    Result.Notes.push_back(
        ("'" + M.Spelling + "' has no effect: " + Flag.Text).str());
    return Error::success();
  case NvccFlag::Refuse:
    return createStringError("'" + M.Spelling +
                             "' is not supported: " + Flag.Text);
  case NvccFlag::Words:
  case NvccFlag::Device:
    Flag.Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
    Flag.Does == NvccFlag::Device ? emitDevice(Words) : emit(Words);
    return Error::success();
  case NvccFlag::Join:
  case NvccFlag::Pair: {
    bool Device =
        Flag.Text.starts_with("-Xcuda-") || Flag.Text.starts_with("-Xoffload-");
    for (const std::string &Value : splitValue(Flag.Text, M.Value)) {
      if (Flag.Does == NvccFlag::Join)
        emit({(Flag.Text + Value).str()});
      else if (Device)
        emitDevice({Flag.Text, Value});
      else
        emit({Flag.Text, Value});
    }
    return Error::success();
  }
  case NvccFlag::Host:
    return host(M);
  case NvccFlag::Choice:
    return choose(M);
  case NvccFlag::Special:
    return special(M);
  }
  llvm_unreachable("all actions are handled");
}

//===----------------------------------------------------------------------===//
// Words of clang, and of nobody
//===----------------------------------------------------------------------===//

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
  if (A && (A->getOption().getKind() == opt::Option::UnknownClass ||
            (A->getNumValues() == 1 && At == First + 1 &&
             isMisreadFlag(*A, Word)))) {
    std::string Nearest = nearestNvccSpelling(Word);
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
    Expected<std::optional<NvccMatch>> M = match(At);
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
  What = inputsOf(Args);
  std::vector<const char *> Words;
  for (const std::string &Arg : Args)
    Words.push_back(Arg.c_str());
  unsigned At = 0;
  while (At < Args.size() && Args[At] != "--") {
    Expected<std::optional<NvccMatch>> M = match(At);
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
