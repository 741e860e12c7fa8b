//===- StdioHooks.cpp - Files and streams of the program ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class is a stream's buffer, or a facet of its locale, if its type
// information or its table of virtual functions names one of the library's.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/StdioHooks.h"
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/Models.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

bool usesFile(StringRef Name) {
  for (StringRef Prefix : {"__isoc99_", "__isoc23_", "_IO_", "__"})
    if (Name.consume_front(Prefix))
      break;
  Name.consume_back("_chk");
  Name.consume_back("_unlocked");
  static constexpr StringRef Others[] = {
      "puts",     "fputs",   "fputws",   "putchar",  "putwchar",  "putc",
      "fputc",    "fputwc",  "putwc",    "putw",     "perror",    "fwrite",
      "fflush",   "fread",   "fgets",    "fgetws",   "getchar",   "getc",
      "fgetc",    "fgetwc",  "getwc",    "getwchar", "getw",      "ungetc",
      "ungetwc",  "getline", "getdelim", "freopen",  "freopen64", "fclose",
      "pclose",   "fseek",   "fseeko",   "fseeko64", "ftell",     "ftello",
      "ftello64", "rewind",  "fgetpos",  "fsetpos",  "err",       "errx",
      "warn",     "warnx",   "error"};
  // Those that print to memory, too: a conversion may be the program's.
  return Name.ends_with("printf") || Name.ends_with("scanf") ||
         is_contained(Others, Name);
}

bool usesStream(StringRef Name) {
  return Name.starts_with("_Z") &&
         any_of(ArrayRef<StringRef>{"_ZNSo", "_ZNSi", "_ZNKSo", "_ZNKSi",
                                    "basic_ostream", "basic_istream",
                                    "basic_ios", "ios_base", "basic_fstream",
                                    "basic_ifstream", "basic_ofstream",
                                    "basic_filebuf", "stringstream", "St5ctype",
                                    "St6locale"},
                [&](StringRef Part) { return Name.contains(Part); });
}

/// True if \p Name, of a function or of type information, belongs to one of the
/// library's classes of stream buffers or facets of locales.
static bool isOfLibrarysParts(StringRef Name) {
  bool OfLibrary = Name.consume_front("_ZTI") || Name.consume_front("_ZThn") ||
                   Name.consume_front("_ZNK") || Name.consume_front("_ZN");
  size_t At = Name.find("St");
  return OfLibrary && At != StringRef::npos && At < 8 &&
         any_of(
             ArrayRef<StringRef>{
                 "basic_streambuf", "basic_filebuf", "basic_stringbuf",
                 "basic_syncbuf", "strstreambuf", "6locale5facet", "ctype",
                 "codecvt", "numpunct", "moneypunct", "num_put", "num_get",
                 "money_put", "money_get", "time_put", "time_get", "7collate",
                 "8messages"},
             [&](StringRef Class) { return Name.contains(Class); });
}

/// True if \p GV is what describes a class of the program: a table of virtual
/// functions, or type information.
static bool describesClass(const GlobalVariable &GV) {
  StringRef Name = GV.getName();
  return GV.hasInitializer() &&
         (Name.consume_front("_ZTV") || Name.consume_front("_ZTI")) &&
         !Name.starts_with("St") && !Name.starts_with("NSt");
}

/// True if a class of \p M is part of the C++ library's streams.
static bool hasOwnParts(const Module &M) {
  for (const GlobalVariable &GV : M.globals()) {
    if (!describesClass(GV))
      continue;
    SetVector<const Constant *> Work;
    Work.insert(GV.getInitializer());
    for (unsigned I = 0; I != Work.size(); ++I) {
      if (const auto *Named = dyn_cast<GlobalValue>(Work[I])) {
        if (isOfLibrarysParts(Named->getName()))
          return true;
        continue;
      }
      for (const Use &Op : Work[I]->operands())
        Work.insert(cast<Constant>(Op));
    }
  }
  return false;
}

void forgetOwnStreams(const Module &M, ModelTable &Models) {
  if (declaresAny(M, {"fopencookie", "funopen", "register_printf_function",
                      "register_printf_specifier", "register_printf_modifier",
                      "register_printf_type"}))
    Models.forget(usesFile);
  bool Callbacks = any_of(M, [](const Function &F) {
    return F.isDeclaration() &&
           F.getName().contains("8ios_base17register_callback");
  });
  if (Callbacks || hasOwnParts(M))
    Models.forget(usesStream);
}

} // namespace echo
