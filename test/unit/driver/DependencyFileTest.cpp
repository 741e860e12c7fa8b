//===- DependencyFileTest.cpp - Makefile rules as nvcc writes them --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cc1/DependencyFile.h"
#include "catch2/catch.hpp"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace echo;

TEST_CASE("each dependency has a line") {
  CHECK(oneDependencyPerLine("a.o: a.cu b.h \\\n  c.h d.h\n") ==
        "a.o : a.cu \\\n    b.h \\\n    c.h \\\n    d.h\n");
  CHECK(oneDependencyPerLine("a.o: \\\n  a.cu\n") == "a.o : a.cu\n");
  CHECK(oneDependencyPerLine("a.o b.o: a.cu\n") == "a.o b.o : a.cu\n");
  CHECK(oneDependencyPerLine("a.o: a.cu") == "a.o : a.cu");
}

TEST_CASE("names stay whole") {
  CHECK(oneDependencyPerLine(
            "my\\ a.o: my\\ a.cu c:d.h $$x \\# \\\n  e\\\\f\n") ==
        "my\\ a.o : my\\ a.cu \\\n    c:d.h \\\n    $$x \\\n    \\# \\\n    "
        "e\\\\f\n");
}

TEST_CASE("what has no dependencies stays as it is") {
  const char *Phony = "b.h:\n\nc.h:\n";
  CHECK(oneDependencyPerLine(Phony) == Phony);
  CHECK(oneDependencyPerLine("") == "");
  CHECK(oneDependencyPerLine("no rule\n") == "no rule\n");
  CHECK(oneDependencyPerLine("a.o: a.cu b.h\n\nb.h:\n") ==
        "a.o : a.cu \\\n    b.h\n\nb.h:\n");
}

TEST_CASE("what is written so again stays") {
  const std::string Once = oneDependencyPerLine("a.o: a.cu b.h c.h\n");
  CHECK(oneDependencyPerLine(Once) == Once);
}

TEST_CASE("a file that is not there is an error that names it") {
  llvm::SmallString<128> Folder;
  REQUIRE(!llvm::sys::fs::createUniqueDirectory("echo-rules", Folder));
  const std::string Path = (Folder + "/none.d").str();
  CHECK(llvm::toString(writeAsNvcc(Path)).find(Path) != std::string::npos);
  llvm::sys::fs::remove_directories(Folder);
}
