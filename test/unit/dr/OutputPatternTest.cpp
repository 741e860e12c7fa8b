//===- OutputPatternTest.cpp - What runs of a program agree on ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Twins: for each shape of output, a run that fits and one that does not, which
// differ in one token.
//
//===----------------------------------------------------------------------===//
#include "Profile/OutputPattern.h"

#include <catch2/catch.hpp>

using namespace echo::drtool;

static OutputPattern of(const std::vector<std::string> &Runs,
                        bool Sorted = false) {
  OutputPattern P(Runs[0], Sorted);
  for (size_t I = 1; I < Runs.size(); ++I)
    P.merge(Runs[I]);
  return P;
}

TEST_CASE("a time on the line of a checksum hides no checksum") {
  const OutputPattern P = of({"checksum 12, live 8 MiB, 0.123456 s\n",
                              "checksum 12, live 8 MiB, 0.13 s\n",
                              "checksum 12, live 8 MiB, 1.0 s\n"});
  CHECK(P.differs("checksum 12, live 8 MiB, 99 s\n") == "");
  CHECK(P.differs("checksum 13, live 8 MiB, 0.13 s\n") ==
        "'checksum 13 , live 8 MiB , 0.13 s' instead of 'checksum 12 , live 8 "
        "MiB , ... s'");
  CHECK(P.differs("checksum 12, live 8 MiB\n") != "");
  CHECK(P.differs("checksum 12, live 8 MiB, 0.1 s\nmore\n") != "");
  CHECK(P.differs("") == "its output ends too early");
  CHECK(P.fixedTokens() == 6);
  CHECK(P.openTokens() == 1);
}

TEST_CASE("tokens that are not parted by blanks") {
  const OutputPattern P =
      of({"{\"sum\":12,\"t\":0.5}", "{\"sum\":12,\"t\":0.7}"});
  CHECK(P.differs("{\"sum\":12,\"t\":123}") == "");
  CHECK(P.differs("{\"sum\":13,\"t\":0.5}") != "");
}

TEST_CASE("lines that are not in each run") {
  const OutputPattern P =
      of({"start\nwait\nsum 5\nend 1\n", "start\nsum 5\nend 2\n",
          "start\nwait\nwait\nsum 5\nend 3\n"});
  CHECK(P.differs("start\nwait\nwait\nwait\nsum 5\nend 4\n") == "");
  CHECK(P.differs("start\nsum 5\nend 4\n") == "");
  CHECK(P.differs("start\nwait\nsum 6\nend 4\n") != "");
  CHECK(P.differs("start\nwait\nend 4\n") != "");
}

TEST_CASE("numbers of tokens that differ in a line") {
  const OutputPattern P = of({"used: a b sum 5", "used: c sum 5"});
  CHECK(P.differs("used: x y z sum 5") == "");
  CHECK(P.differs("used: x y z sum 6") != "");
}

TEST_CASE("lines of several processes come in any order") {
  const std::vector<std::string> Runs = {
      "rank 0: sum 5, 0.1 s\nrank 1: sum 6, 0.2 s\n",
      "rank 1: sum 6, 0.3 s\nrank 0: sum 5, 0.2 s\n"};
  const OutputPattern P = of(Runs, true);
  CHECK(P.differs("rank 1: sum 6, 7 s\nrank 0: sum 5, 8 s\n") == "");
  CHECK(P.differs("rank 1: sum 5, 7 s\nrank 0: sum 6, 8 s\n") != "");
  CHECK(P.fixedTokens() > of(Runs).fixedTokens());
}

TEST_CASE("outputs of which nothing is left") {
  CHECK(of({"", ""}).fixedTokens() == 0);
  CHECK(of({"0.1\n", "0.2\n"}).fixedTokens() == 0);
  CHECK(of({"[0.1]\n", "[0.2]\n"}).fixedTokens() == 0); // punctuation is none
  CHECK(of({"x\n\n", "x\r\n"}).differs("x") == "");
}

TEST_CASE("blanks that plain runs agree on are compared") {
  const OutputPattern Plot = of({"density\n    #\n", "density\n    #\n"});
  CHECK(Plot.differs("density\n    #\n") == "");
  CHECK(Plot.differs("density  \n\n    #\r\n") == "");
  CHECK(Plot.differs("density\n      #\n") == "the blanks in '#' are others");
  const OutputPattern Moved = of({"a |  9.5 ms | 7\n", "a | 10.5 ms | 7\n"});
  CHECK(Moved.differs("a |100.5  ms | 7\n") == "");
  CHECK(Moved.differs("a | 10.5 ms |  7\n") != "");
  const OutputPattern Others = of({"x   7\n", "x 7\n"});
  CHECK(Others.differs("x  7\n") == "");
}

TEST_CASE("labels beside what differs tell nothing") {
  CHECK_FALSE(of({"pi is about 3.141\n", "pi is about 3.142\n"}).tells());
  CHECK(of({"pi is about 3.141\n", "pi is about 3.141\n"}).tells());
  CHECK(of({"sum 12.5, 0.1 s\n", "sum 12.5, 0.2 s\n"}).tells());
  CHECK(of({"sum 12\n0.1 s\n", "sum 12\n0.2 s\n"}).tells());
  CHECK(of({"n=(12),\n0.1 s\n", "n=(12),\n0.2 s\n"}).tells());
  CHECK(of({"sum 76789656829 0.1\n", "sum 76789656829 0.2\n"}).tells());
  CHECK_FALSE(of({"step 10 loss 0.1\n", "step 10 loss 0.2\n"}).tells());
  CHECK_FALSE(of({"L2 norm 0.1\n", "L2 norm 0.2\n"}).tells());
  CHECK_FALSE(of({"fp32 H100\n0.1 s\n", "fp32 H100\n0.2 s\n"}).tells());
  CHECK_FALSE(of({"match 0.1\n", "match 0.2\n"}).tells());
  CHECK(of({"PASSED in 0.1 s\n", "PASSED in 0.2 s\n"}).tells());
  CHECK_FALSE(
      of({"the passage took 0.1 s\n", "the note took 0.2 s\n"}).tells());
  CHECK_FALSE(of({"done\n", "done\n"}).tells());
  CHECK(of({"done\n\x01\x02", "done\n\x01\x02"}).tells()); // no text
  CHECK_FALSE(of({"", ""}).tells());
}

TEST_CASE("large outputs") {
  std::string A, B;
  for (int I = 0; I < 200000; ++I) {
    A += "step " + std::to_string(I) + "\n";
    B += "step " + std::to_string(I) + (I % 7 ? "\n" : " late\n");
  }
  OutputPattern P = of({A, B});
  CHECK(P.differs(A) == "");
  CHECK(P.differs(B) == "");
  CHECK(P.differs(A.substr(0, A.size() / 2)) != "");
}
