//===- ModelParser.cpp - Reads the text of model files --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive-descent parser of one line at a time (the language is described
// in docs/guide/models.md). It never guesses: what it does not understand, and
// what cannot be true (a size that is no number argument), is an error with its
// line.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/ModelParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace echo;
using namespace llvm;

namespace {
/// Parses one line. Every function returns false after fail() has kept the
/// reason.
class LineParser {
public:
  LineParser(StringRef Line, const StringMap<FunctionModel> &Groups)
      : Rest(Line), Groups(Groups) {}
  /// Reads the line: the same model for each of \p Names.
  bool parse(FunctionModel &Model, std::vector<std::string> &Names);
  /// Reads NAMES `is` WORD ...: what functions are, and nothing else of them.
  bool parseTraits(unsigned &Traits, std::vector<std::string> &Names);
  /// Reads what follows `attributes`: those of all functions below.
  bool parseDefaults(FunctionModel &Defaults);
  /// Reads what follows `group`: attributes, and their \p Name.
  bool parseGroup(FunctionModel &Group, std::string &Name);
  const std::string &reason() const { return Reason; }

private:
  StringRef Rest;
  const StringMap<FunctionModel> &Groups;
  std::string Reason;

  bool fail(const Twine &Why) {
    Reason = Why.str();
    return false;
  }
  /// Consumes \p Token if it is next.
  bool take(StringRef Token) {
    Rest = Rest.ltrim();
    return Rest.consume_front(Token);
  }
  bool expect(StringRef Token, StringRef Where) {
    if (take(Token))
      return true;
    return fail("expected '" + Token + "' " + Where + ", found " + next());
  }
  /// What comes next, for messages.
  std::string next() {
    Rest = Rest.ltrim();
    if (Rest.empty())
      return "the end of the line";
    return "'" + Rest.take_until([](char C) { return isSpace(C); }).str() + "'";
  }
  StringRef word() {
    Rest = Rest.ltrim();
    StringRef Word = Rest.take_while(
        [](char C) { return isAlnum(C) || C == '_' || C == '.' || C == '$'; });
    Rest = Rest.drop_front(Word.size());
    return Word;
  }
  bool number(uint64_t &N) {
    Rest = Rest.ltrim();
    StringRef Digits = Rest.take_while(isDigit);
    if (Digits.empty())
      return fail("expected a number, found " + next());
    Rest = Rest.drop_front(Digits.size());
    if (Digits.getAsInteger(10, N))
      return fail("the number " + Digits + " is too large");
    return true;
  }
  bool argNumber(unsigned &N) {
    uint64_t Wide;
    if (!number(Wide))
      return false;
    if (Wide > 255)
      return fail("no function has an argument " + Twine(Wide));
    N = static_cast<unsigned>(Wide);
    return true;
  }
  bool names(FunctionModel &Model, std::vector<std::string> &Names);
  bool size(ArgModel &Arg);
  bool argument(ArgModel &Arg);
  bool arguments(FunctionModel &Model);
  bool allocation(FunctionModel &Model);
  bool namedArgument(StringRef Word, StringRef Role, unsigned &N);
  bool stream(FunctionModel &Model);
  bool handle(FunctionModel &Model, StringRef Word);
  bool sync(FunctionModel &Model);
  bool memory(FunctionModel &Model);
  bool attribute(FunctionModel &Model, StringRef Word);
  bool attributes(FunctionModel &Model);
  bool traits(unsigned &Traits);
  bool check(const FunctionModel &Model);
  bool checkAllocation(const FunctionModel &Model);
  bool checkGpu(const FunctionModel &Model);
  bool checkValue(const FunctionModel &Model, unsigned Arg, StringRef What);
};
} // namespace

static std::optional<ValueType> valueType(StringRef Word) {
  return StringSwitch<std::optional<ValueType>>(Word)
      .Case("void", ValueType::Void)
      .Case("ptr", ValueType::Pointer)
      .Case("i1", ValueType::I1)
      .Case("i8", ValueType::I8)
      .Case("i16", ValueType::I16)
      .Case("i32", ValueType::I32)
      .Case("i64", ValueType::I64)
      .Case("float", ValueType::Float)
      .Case("double", ValueType::Double)
      .Cases({"x86_fp80", "fp128"}, ValueType::LongDouble)
      .Default(std::nullopt);
}

/// The factors of a size: argument numbers and constants ("8B"), up to ']'.
bool LineParser::size(ArgModel &Arg) {
  do {
    uint64_t N;
    if (!number(N))
      return false;
    if (!Rest.consume_front("B")) {
      if (N > 255)
        return fail("no function has an argument " + Twine(N) +
                    " (a constant is written " + Twine(N) + "B)");
      Arg.SizeArgs.push_back(static_cast<unsigned>(N));
      continue;
    }
    bool Overflow = N == 0 || Arg.SizeConst > UINT64_MAX / N;
    if (Overflow)
      return fail("a size of " + Twine(N) + " bytes makes no sense here");
    Arg.SizeConst *= N;
  } while (take("*"));
  Arg.HasSize = true;
  return expect("]", "after a size");
}

bool LineParser::argument(ArgModel &Arg) {
  std::string Found = next();
  StringRef Word = word();
  bool Known = true;
  StringRef Uses = Word;
  ArgModel::Kind Where = Uses.consume_front("hd")  ? ArgModel::Either
                         : Uses.consume_front("d") ? ArgModel::Device
                                                   : ArgModel::Access;
  if (Uses == "r" || Uses == "w" || Uses == "rw") {
    Arg.What = Where;
    Arg.Reads = Uses.contains('r');
    Arg.Writes = Uses.contains('w');
  } else {
    Arg.What = StringSwitch<ArgModel::Kind>(Word)
                   .Case("free", ArgModel::Free)
                   .Case("out", ArgModel::Out)
                   .Case("call", ArgModel::Callback)
                   .Case("keep", ArgModel::Keep)
                   .Case("keepeach", ArgModel::KeepEach)
                   .Default(ArgModel::Value);
    Arg.Const = Word == "const";
    auto Type = valueType(Word);
    bool Typed = Type && *Type != ValueType::Void;
    if (Typed)
      Arg.Type = *Type;
    Known = Arg.What != ArgModel::Value || Word == "v" || Arg.Const || Typed;
    Arg.Reads = Arg.What == ArgModel::KeepEach;
  }
  if (!Known)
    return fail(
        "an argument is v or a type, r, w, rw, free, out or call, or for a "
        "library "
        "that uses the GPU dr, dw, drw, hdr, hdw, hdrw, keep, keepeach or "
        "const, not " +
        Found);
  bool HasMemory = Where != ArgModel::Access || Arg.What == ArgModel::Access;
  if (take("!"))
    Arg.Exact = true;
  if (Arg.Exact && Where != ArgModel::Access)
    return fail("'!' is for the host's memory: a call that fails gives the GPU "
                "no work");
  if (take("[")) {
    if (!HasMemory)
      return fail("only r, w and rw take a size");
    if (!size(Arg))
      return false;
  }
  if (Arg.Exact && !Arg.HasSize)
    return fail("'!' (exactly this size) needs a size, as in w![2]");
  return true;
}

bool LineParser::arguments(FunctionModel &Model) {
  if (!expect("(", "after the function's name"))
    return false;
  if (take(")"))
    return true;
  do {
    ArgModel Arg;
    bool Variadic = take("...");
    if (!argument(Arg))
      return false;
    if (!Variadic) {
      Model.Args.push_back(Arg);
      continue;
    }
    if (Arg.What == ArgModel::Free || Arg.What == ArgModel::Out ||
        Arg.What == ArgModel::Device || Arg.What == ArgModel::Either ||
        Arg.What == ArgModel::Keep || Arg.What == ArgModel::KeepEach ||
        Arg.HasSize)
      return fail("further arguments are ...v, ...r, ...w, ...rw or ...call");
    Model.VarArgs = Arg;
    return expect(")", "after the further arguments");
  } while (take(","));
  return expect(")", "after the arguments");
}

/// What follows `alloc`: a kind, the arguments whose product is the size, and
/// the one that is the alignment.
bool LineParser::allocation(FunctionModel &Model) {
  if (Model.Allocates != FunctionModel::NotAlloc)
    return fail("'alloc' is given twice");
  std::string Found = next();
  Model.Allocates = StringSwitch<FunctionModel::AllocKind>(word())
                        .Case("malloc", FunctionModel::Malloc)
                        .Case("calloc", FunctionModel::Calloc)
                        .Case("aligned", FunctionModel::Aligned)
                        .Case("new", FunctionModel::New)
                        .Case("realloc", FunctionModel::Realloc)
                        .Default(FunctionModel::NotAlloc);
  if (Model.Allocates == FunctionModel::NotAlloc)
    return fail("alloc takes malloc, calloc, aligned, new or realloc, not " +
                Found);
  if (!expect("(", "after the kind of allocation"))
    return false;
  do {
    if (!argNumber(Model.AllocSizeArgs.emplace_back()))
      return false;
  } while (take("*"));
  if (take(",") && !argNumber(Model.AllocAlignArg.emplace()))
    return false;
  return expect(")", "after the size of the allocation");
}

/// What follows \p Word, which has to be \p Role: `handle(N)`, `stream(N)`.
bool LineParser::namedArgument(StringRef Word, StringRef Role, unsigned &N) {
  if (Word != Role)
    return fail("expected " + Role + "(N), found '" + Word + "'");
  return expect("(", ("after '" + Role + "'").str()) && argNumber(N) &&
         expect(")", "after the number of an argument");
}

/// What follows `on`: where the work is.
bool LineParser::stream(FunctionModel &Model) {
  if (Model.Works != FunctionModel::NoStream)
    return fail("'on' is given twice");
  std::string Found = next();
  StringRef Word = word();
  Model.Works = StringSwitch<FunctionModel::StreamKind>(Word)
                    .Case("handle", FunctionModel::OfHandle)
                    .Case("stream", FunctionModel::OfArgument)
                    .Case("default", FunctionModel::DefaultStream)
                    .Case("unknown", FunctionModel::SomeStream)
                    .Default(FunctionModel::NoStream);
  if (Model.Works == FunctionModel::NoStream)
    return fail("on takes handle(N), stream(N), default or unknown, not " +
                Found);
  bool Named = Model.Works == FunctionModel::OfHandle ||
               Model.Works == FunctionModel::OfArgument;
  return !Named || namedArgument(Word, Word, Model.StreamArg);
}

/// What follows `creates`, `destroys` and `setstream`.
bool LineParser::handle(FunctionModel &Model, StringRef Word) {
  auto &N = Word == "creates" ? Model.CreatesHandle : Model.DestroysHandle;
  if (Word == "setstream" ? Model.SetsStream.has_value() : N.has_value())
    return fail("'" + Word + "' is given twice");
  if (Word == "setstream") {
    FunctionModel::StreamSetting &Set = Model.SetsStream.emplace();
    return expect("(", "after 'setstream'") && argNumber(Set.Handle) &&
           expect(",", "between handle and stream") && argNumber(Set.Stream) &&
           expect(")", "after the number of an argument");
  }
  return namedArgument(word(), "handle", N.emplace());
}

/// What may follow `nosync`.
bool LineParser::sync(FunctionModel &Model) {
  Model.Sync = FunctionModel::NoSync;
  if (!Rest.consume_front("("))
    return true;
  Model.Sync = FunctionModel::FilesOnly;
  return expect("files", "after 'nosync('") && expect(")", "after 'files'");
}

/// What follows `memory`, as LLVM writes it: an access for all memory that is
/// not named, then places with theirs.
bool LineParser::memory(FunctionModel &Model) {
  if (!expect("(", "after 'memory'"))
    return false;
  Model.Memory = MemoryEffects::none();
  do {
    std::string Found = next();
    StringRef Word = word();
    auto Place = StringSwitch<std::optional<IRMemLocation>>(Word)
                     .Case("argmem", IRMemLocation::ArgMem)
                     .Case("inaccessiblemem", IRMemLocation::InaccessibleMem)
                     .Case("errnomem", IRMemLocation::ErrnoMem)
                     .Default(std::nullopt);
    if (Place) {
      if (!expect(":", "after '" + Word.str() + "'"))
        return false;
      Found = next();
      Word = word();
    }
    auto Access = StringSwitch<std::optional<ModRefInfo>>(Word)
                      .Case("none", ModRefInfo::NoModRef)
                      .Case("read", ModRefInfo::Ref)
                      .Case("write", ModRefInfo::Mod)
                      .Case("readwrite", ModRefInfo::ModRef)
                      .Default(std::nullopt);
    if (!Access)
      return fail("memory takes none, read, write or readwrite, for all or "
                  "behind argmem:, inaccessiblemem: or errnomem:, not " +
                  Found);
    Model.Memory = Place ? Model.Memory.getWithModRef(*Place, *Access)
                         : MemoryEffects(*Access);
  } while (take(","));
  return expect(")", "after what is accessed");
}

/// The rest of attribute \p Word, which has been read.
bool LineParser::attribute(FunctionModel &Model, StringRef Word) {
  if (auto It = Groups.find(Word); It != Groups.end()) {
    Model.NoUnwind = It->second.NoUnwind;
    Model.Sync = It->second.Sync;
    Model.Memory = It->second.Memory;
    return true;
  }
  if (Word == "nosync")
    return sync(Model);
  if (Word == "memory")
    return memory(Model);
  if (Word == "on")
    return stream(Model);
  if (Word == "creates" || Word == "destroys" || Word == "setstream")
    return handle(Model, Word);
  if (Word == "alloc")
    return allocation(Model);
  Model.DeviceCallbacks |= Word == "callbacks";
  Model.NoUnwind |= Word == "nounwind";
  Model.NoReturn |= Word == "noreturn";
  Model.Observes |= Word == "observes";
  return true;
}

static bool isAttribute(StringRef Word) {
  return is_contained({"nounwind", "noreturn", "nosync", "memory", "alloc",
                       "on", "callbacks", "creates", "destroys", "setstream",
                       "observes"},
                      Word);
}

bool LineParser::attributes(FunctionModel &Model) {
  while (!Rest.ltrim().empty()) {
    std::string Found = next();
    StringRef Word = word();
    bool Known = Groups.contains(Word) || isAttribute(Word);
    if (!Known)
      return fail(
          "expected nounwind, noreturn, nosync, memory, alloc, on, "
          "callbacks, creates, destroys, setstream, observes or a group, "
          "found " +
          Found);
    if (!attribute(Model, Word))
      return false;
  }
  return true;
}

bool LineParser::parseDefaults(FunctionModel &Defaults) {
  Defaults = FunctionModel();
  if (!attributes(Defaults))
    return false;
  if (Defaults.NoReturn || Defaults.usesGpu() ||
      Defaults.Allocates != FunctionModel::NotAlloc)
    return fail("what functions share is nounwind, nosync and memory");
  return true;
}

bool LineParser::parseGroup(FunctionModel &Group, std::string &Name) {
  std::string Found = next();
  Name = word().str();
  if (Name.empty() || isDigit(Name[0]) || isAttribute(Name))
    return fail("expected the name of a group, found " + Found);
  if (Groups.contains(Name))
    return fail("the group '" + Name + "' is described twice");
  return parseDefaults(Group);
}

bool LineParser::checkValue(const FunctionModel &Model, unsigned Arg,
                            StringRef What) {
  if (Arg >= Model.Args.size())
    return fail(What + " names argument " + Twine(Arg) + ", but there are " +
                Twine(Model.Args.size()) + " (counted from 0)");
  if (Model.Args[Arg].What != ArgModel::Value)
    return fail(What + " names argument " + Twine(Arg) +
                ", which is a buffer, not a number or handle (v)");
  return true;
}

/// The parts that tell of GPU work, streams and handles.
bool LineParser::checkGpu(const FunctionModel &Model) {
  bool OnDevice = llvm::any_of(Model.Args, [](const ArgModel &A) {
    return A.What == ArgModel::Device || A.What == ArgModel::Either;
  });
  bool Works = Model.Works != FunctionModel::NoStream;
  if (OnDevice && !Works)
    return fail("memory that the GPU uses needs a stream: on handle(N), on "
                "stream(N), on default or on unknown");
  if (Works && Model.Allocates != FunctionModel::NotAlloc)
    return fail("a function allocates or gives the GPU work, not both");
  bool Named = Model.Works == FunctionModel::OfHandle ||
               Model.Works == FunctionModel::OfArgument;
  if (Named && !checkValue(Model, Model.StreamArg, "'on'"))
    return false;
  if (Model.DeviceCallbacks && Model.Works != FunctionModel::OfHandle)
    return fail("'callbacks' needs on handle(N)");
  if (Model.DestroysHandle &&
      !checkValue(Model, *Model.DestroysHandle, "'destroys'"))
    return false;
  if (Model.SetsStream &&
      (!checkValue(Model, Model.SetsStream->Handle, "'setstream'") ||
       !checkValue(Model, Model.SetsStream->Stream, "'setstream'")))
    return false;
  if (!Model.CreatesHandle)
    return true;
  unsigned N = *Model.CreatesHandle;
  if (N < Model.Args.size()) {
    const ArgModel &Out = Model.Args[N];
    if (Out.What == ArgModel::Access && Out.Writes && !Out.Reads &&
        Out.HasSize && Out.SizeArgs.empty() &&
        (Out.SizeConst == 4 || Out.SizeConst == 8))
      return true;
  }
  return fail("'creates handle(" + Twine(N) +
              ")' must name an argument that is w[8B] (a pointer) or w[4B] (an "
              "int)");
}

/// The parts that tell of a new block.
bool LineParser::checkAllocation(const FunctionModel &Model) {
  for (unsigned N : Model.AllocSizeArgs)
    if (!checkValue(Model, N, "the size of the allocation"))
      return false;
  if (Model.AllocAlignArg &&
      !checkValue(Model, *Model.AllocAlignArg, "the alignment"))
    return false;
  bool Plain = Model.Allocates == FunctionModel::Malloc ||
               Model.Allocates == FunctionModel::Calloc;
  if (Model.AllocAlignArg &&
      (Plain || Model.Allocates == FunctionModel::Realloc))
    return fail("only alloc aligned and alloc new take an alignment");
  if (Model.Allocates == FunctionModel::Realloc &&
      (Model.Args.empty() || Model.Args[0].What != ArgModel::Free))
    return fail("alloc realloc needs 'free' as its first argument");
  unsigned Outs = llvm::count_if(
      Model.Args, [](const ArgModel &A) { return A.What == ArgModel::Out; });
  if (Outs > 1)
    return fail("a function has one 'out' at most");
  if (Outs && !Plain && Model.Allocates != FunctionModel::Aligned)
    return fail("'out' needs alloc malloc, calloc or aligned");
  return true;
}

/// What must hold between the parts of a line.
bool LineParser::check(const FunctionModel &Model) {
  for (const ArgModel &Arg : Model.Args)
    for (unsigned N : Arg.SizeArgs)
      if (!checkValue(Model, N, "a size"))
        return false;
  if (!checkAllocation(Model) || !checkGpu(Model))
    return false;
  ModRefInfo ArgMem = Model.Memory.getModRef(IRMemLocation::ArgMem);
  bool Reads = any_of(Model.Args, [](const ArgModel &A) { return A.Reads; });
  bool Writes = any_of(Model.Args, [](const ArgModel &A) {
    return A.Writes || A.What == ArgModel::Out;
  });
  if ((Writes && !isModSet(ArgMem)) || (Reads && !isRefSet(ArgMem)))
    return fail("'memory' denies what the arguments say: it needs argmem:");
  if (!Model.ReturnsArg)
    return true;
  if (Model.Allocates != FunctionModel::NotAlloc)
    return fail("a function returns a new block or an argument, not both");
  if (*Model.ReturnsArg >= Model.Args.size() ||
      Model.Args[*Model.ReturnsArg].What != ArgModel::Access)
    return fail("'-> " + Twine(*Model.ReturnsArg) +
                "' must name an argument that is r, w or rw");
  return true;
}

/// The type of the result, if it is said, and the names that a line is for:
/// `f_{8u,16u}` is f_8u and f_16u.
bool LineParser::names(FunctionModel &Model, std::vector<std::string> &Names) {
  constexpr size_t MaxNames = 4096;
  std::string Found = next();
  StringRef First = word();
  if (!Rest.empty() && isSpace(Rest.front())) {
    auto Type = valueType(First);
    if (!Type)
      return fail("the type of a result is void, ptr, i1, i8, i16, i32, i64, "
                  "float, double or x86_fp80, not '" +
                  First + "'");
    Model.Returns = *Type;
    Found = next();
    First = word();
  }
  Names = {First.str()};
  while (Rest.consume_front("{")) {
    std::vector<std::string> Longer;
    do {
      std::string Alternative = word().str();
      for (const std::string &Name : Names)
        Longer.push_back(Name + Alternative);
    } while (take(","));
    if (!expect("}", "after the alternatives in a name"))
      return false;
    if (Longer.size() > MaxNames)
      return fail("more than " + Twine(MaxNames) + " names in one line");
    std::string Behind = Rest.starts_with("(") ? "" : word().str();
    for (std::string &Name : Longer)
      Name += Behind;
    Names = std::move(Longer);
  }
  for (const std::string &Name : Names)
    if (Name.empty() || isDigit(Name[0]))
      return fail("expected the name of a function, found " + Found);
  return true;
}

bool LineParser::parse(FunctionModel &Model, std::vector<std::string> &Names) {
  if (!names(Model, Names) || !arguments(Model))
    return false;
  if (take("->")) {
    unsigned N;
    if (!argNumber(N))
      return false;
    Model.ReturnsArg = N;
  }
  return attributes(Model) && check(Model);
}

unsigned echo::traitOf(StringRef Word) {
  return StringSwitch<unsigned>(Word)
      .Case("host-function", QueuesHostFunction | WaitsForHost)
      .Case("waits-for-host", WaitsForHost)
      .Case("starts-thread", StartsThread)
      .Case("starts-region", StartsRegion)
      .Case("makes-process", MakesProcess)
      .Case("resets-device", ResetsDevice)
      .Case("selects-device", SelectsDevice)
      .Case("captures-stream", CapturesStream)
      .Case("sets-handle-stream", SetsHandleStream)
      .Case("observes-heap", ObservesHeap)
      .Case("observes-device", ObservesDevice)
      .Case("hooks-allocation", HooksAllocation)
      .Case("precedes-cuda", PrecedesCuda)
      .Case("copies-memory", CopiesMemory)
      .Default(0);
}

/// What follows `is`: words, to the end of the line.
bool LineParser::traits(unsigned &Traits) {
  do {
    std::string Found = next();
    Rest = Rest.ltrim();
    StringRef Word = Rest.take_until([](char C) { return isSpace(C); });
    Rest = Rest.drop_front(Word.size());
    unsigned Trait = traitOf(Word);
    if (!Trait)
      return fail(
          "is takes host-function, waits-for-host, starts-thread, "
          "starts-region, makes-process, resets-device, selects-device, "
          "captures-stream, sets-handle-stream, observes-heap, "
          "observes-device, hooks-allocation, precedes-cuda or "
          "copies-memory, not " +
          Found);
    Traits |= Trait;
  } while (!Rest.ltrim().empty());
  return true;
}

bool LineParser::parseTraits(unsigned &Traits,
                             std::vector<std::string> &Names) {
  auto [Left, Right] = Rest.split(" is ");
  Rest = Left;
  FunctionModel Ignored;
  if (!names(Ignored, Names))
    return false;
  if (!Rest.trim().empty())
    return fail("expected 'is' after the function's name, found " + next());
  Rest = Right;
  return traits(Traits);
}

namespace {
/// Parses one file, line by line.
class FileParser {
public:
  explicit FileParser(StringRef File) : File(File) {}
  /// Line \p Number, without its comment and not empty.
  Error line(StringRef Line, unsigned Number);
  ParsedModels Parsed;

private:
  Error wrong(const Twine &Reason) const {
    return createStringError(File + ":" + Twine(Number) + ": " + Reason);
  }
  /// A line that describes functions or their attributes.
  Error description(StringRef Line);
  Error add(const std::string &Name, FunctionModel Model, unsigned Traits);

  StringRef File;
  unsigned Number = 0;
  StringSet<> Known;
  std::optional<StringRef> Prefix;
  FunctionModel Defaults;
  StringMap<FunctionModel> Groups;
  bool OfSystem = false;
};
} // namespace

Error FileParser::line(StringRef Line, unsigned LineNumber) {
  Number = LineNumber;
  if (Line.consume_front("names ")) {
    if (Prefix || !Parsed.Functions.empty() || !Parsed.Traits.empty())
      return wrong("'names' comes once, before all functions");
    Prefix = Line.trim();
    return Error::success();
  }
  if (Line == "system") {
    OfSystem = true;
    return Error::success();
  }
  if (Line.consume_front("group ")) {
    LineParser Parser(Line, Groups);
    FunctionModel Group;
    std::string Name;
    if (!Parser.parseGroup(Group, Name))
      return wrong(Parser.reason());
    Groups[Name] = Group;
    return Error::success();
  }
  return description(Line);
}

Error FileParser::description(StringRef Line) {
  FunctionModel Model = Defaults;
  unsigned Traits = 0;
  std::vector<std::string> Names;
  bool IsTraits = Line.contains(" is ");
  bool IsDefaults = Line == "attributes" || Line.starts_with("attributes ");
  LineParser Parser(IsDefaults ? Line.substr(strlen("attributes")) : Line,
                    Groups);
  if (IsDefaults ? !Parser.parseDefaults(Defaults)
      : IsTraits ? !Parser.parseTraits(Traits, Names)
                 : !Parser.parse(Model, Names))
    return wrong(Parser.reason());
  for (const std::string &Name : Names)
    if (Error E = add(Name, Model, Traits))
      return E;
  return Error::success();
}

Error FileParser::add(const std::string &Name, FunctionModel Model,
                      unsigned Traits) {
  if (Prefix && !StringRef(Name).starts_with(*Prefix))
    return wrong("'" + Name + "' does not begin with '" + *Prefix +
                 "', as all names of this file");
  if (Traits) {
    Parsed.Traits.push_back({Name, Traits});
    return Error::success();
  }
  if (!Known.insert(Name).second)
    return wrong("'" + Name + "' is described twice in this file");
  Model.Name = Name;
  Model.OfSystem = OfSystem;
  Parsed.Functions.push_back(std::move(Model));
  return Error::success();
}

Expected<ParsedModels> echo::parseModels(StringRef Text, StringRef File) {
  FileParser Parser(File);
  for (unsigned Number = 1; !Text.empty(); ++Number) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    Line = Line.split('#').first.trim();
    if (Line.empty())
      continue;
    if (Error E = Parser.line(Line, Number))
      return std::move(E);
  }
  return std::move(Parser.Parsed);
}

std::optional<StringRef> echo::modelPrefix(StringRef Text) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    Line = Line.split('#').first.trim();
    if (Line.consume_front("names "))
      return Line.trim();
    if (!Line.empty())
      break;
  }
  return std::nullopt;
}
