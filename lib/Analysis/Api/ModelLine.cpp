//===- ModelLine.cpp - Reads one line of a model file ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/ModelLine.h"
#include "Analysis/Api/ModelRules.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace echo;
using namespace llvm;

bool ModelLine::fail(const Twine &Why) {
  Reason = Why.str();
  return false;
}

bool ModelLine::take(StringRef Token) {
  Rest = Rest.ltrim();
  return Rest.consume_front(Token);
}

bool ModelLine::expect(StringRef Token, StringRef Where) {
  if (take(Token))
    return true;
  return fail("expected '" + Token + "' " + Where + ", found " + next());
}

std::string ModelLine::next() {
  Rest = Rest.ltrim();
  if (Rest.empty())
    return "the end of the line";
  return "'" + Rest.take_until([](char C) { return isSpace(C); }).str() + "'";
}

StringRef ModelLine::word() {
  Rest = Rest.ltrim();
  StringRef Word = Rest.take_while(
      [](char C) { return isAlnum(C) || C == '_' || C == '.' || C == '$'; });
  Rest = Rest.drop_front(Word.size());
  return Word;
}

bool ModelLine::number(uint64_t &N) {
  Rest = Rest.ltrim();
  StringRef Digits = Rest.take_while(isDigit);
  if (Digits.empty())
    return fail("expected a number, found " + next());
  Rest = Rest.drop_front(Digits.size());
  if (Digits.getAsInteger(10, N))
    return fail("the number " + Digits + " is too large");
  return true;
}

bool ModelLine::argNumber(unsigned &N) {
  uint64_t Wide;
  if (!number(Wide))
    return false;
  if (Wide > 255)
    return fail("no function has an argument " + Twine(Wide));
  N = static_cast<unsigned>(Wide);
  return true;
}

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
bool ModelLine::size(ArgModel &Arg) {
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

bool ModelLine::argument(ArgModel &Arg) {
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
    Arg.Prints = Word == "print";
    auto Type = valueType(Word);
    bool Typed = Type && *Type != ValueType::Void;
    if (Typed)
      Arg.Type = *Type;
    Known = Arg.What != ArgModel::Value || Word == "v" || Arg.Const ||
            Arg.Prints || Typed;
    Arg.Reads = Arg.What == ArgModel::KeepEach;
  }
  if (!Known)
    return fail(
        "an argument is v or a type, r, w, rw, free, out, print or call, or "
        "for a library "
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

bool ModelLine::arguments(FunctionModel &Model) {
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
bool ModelLine::allocation(FunctionModel &Model) {
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
bool ModelLine::namedArgument(StringRef Word, StringRef Role, unsigned &N) {
  if (Word != Role)
    return fail("expected " + Role + "(N), found '" + Word + "'");
  return expect("(", ("after '" + Role + "'").str()) && argNumber(N) &&
         expect(")", "after the number of an argument");
}

/// What follows `on`: where the work is.
bool ModelLine::stream(FunctionModel &Model) {
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
bool ModelLine::handle(FunctionModel &Model, StringRef Word) {
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
bool ModelLine::sync(FunctionModel &Model) {
  Model.Sync = FunctionModel::NoSync;
  if (!Rest.consume_front("("))
    return true;
  Model.Sync = FunctionModel::FilesOnly;
  return expect("files", "after 'nosync('") && expect(")", "after 'files'");
}

/// What follows `memory`, as LLVM writes it: an access for all memory that is
/// not named, then places with theirs.
bool ModelLine::memory(FunctionModel &Model) {
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
bool ModelLine::attribute(FunctionModel &Model, StringRef Word) {
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

bool ModelLine::attributes(FunctionModel &Model) {
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

bool ModelLine::parseDefaults(FunctionModel &Defaults) {
  Defaults = FunctionModel();
  if (!attributes(Defaults))
    return false;
  if (Defaults.NoReturn || Defaults.usesGpu() ||
      Defaults.Allocates != FunctionModel::NotAlloc)
    return fail("what functions share is nounwind, nosync and memory");
  return true;
}

bool ModelLine::parseGroup(FunctionModel &Group, std::string &Name) {
  std::string Found = next();
  Name = word().str();
  if (Name.empty() || isDigit(Name[0]) || isAttribute(Name))
    return fail("expected the name of a group, found " + Found);
  if (Groups.contains(Name))
    return fail("the group '" + Name + "' is described twice");
  return parseDefaults(Group);
}

/// The type of the result, if it is said, and the names that a line is for:
/// `f_{8u,16u}` is f_8u and f_16u.
bool ModelLine::names(FunctionModel &Model, std::vector<std::string> &Names) {
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

bool ModelLine::parse(FunctionModel &Model, std::vector<std::string> &Names) {
  if (!names(Model, Names) || !arguments(Model))
    return false;
  if (take("->")) {
    unsigned N;
    if (!argNumber(N))
      return false;
    Model.ReturnsArg = N;
  }
  if (!attributes(Model))
    return false;
  const std::string Why = contradictionIn(Model);
  return Why.empty() || fail(Why);
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
      .Case("called-by-cxx", CalledByCxx)
      .Default(0);
}

/// What follows `is`: words, to the end of the line.
bool ModelLine::traits(unsigned &Traits) {
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
          "observes-device, hooks-allocation, precedes-cuda, "
          "copies-memory or called-by-cxx, not " +
          Found);
    Traits |= Trait;
  } while (!Rest.ltrim().empty());
  return true;
}

bool ModelLine::parseTraits(unsigned &Traits, std::vector<std::string> &Names) {
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
