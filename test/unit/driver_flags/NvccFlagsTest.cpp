//===- NvccFlagsTest.cpp - nvcc's flags in clang's words ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spellings of real build files, words that must not be misread, and clang's
// own options, which must come out as they went in.
//
//===----------------------------------------------------------------------===//
#include "Translate.h"

using Table = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("flags become clang's words") {
  static const std::string FastMath =
      "-fgpu-approx-transcendentals -fgpu-flush-denormals-to-zero "
      "-Xarch_device -ffp-contract=fast "
      "-Xarch_device -mllvm=-nvptx-prec-divf32=0 "
      "-Xarch_device -mllvm=-nvptx-prec-sqrtf32=0";
  for (const auto &[Line, Expected] : Table{
           {"-use_fast_math", FastMath},
           {"--use_fast_math", FastMath},
           {"-ftz=true", "-fgpu-flush-denormals-to-zero"},
           {"--ftz false", "-fno-gpu-flush-denormals-to-zero"},
           {"-prec-div=false", "-Xarch_device -mllvm=-nvptx-prec-divf32=0"},
           {"-fmad=false", "-Xarch_device -ffp-contract=off"},
           {"-lineinfo", "-Xarch_device -gline-tables-only"},
           {"--generate-line-info", "-Xarch_device -gline-tables-only"},
           {"-G", "-Xarch_device -g -Xarch_device -O0 "
                  "--cuda-noopt-device-debug"},
           {"-rdc=true", "-fgpu-rdc"},
           {"--relocatable-device-code=false", "-fno-gpu-rdc"},
           {"-dc", "-c -fgpu-rdc"},
           {"--device-c", "-c -fgpu-rdc"},
           {"-maxrregcount=32", "-Xcuda-ptxas -maxrregcount=32"},
           {"-maxrregcount 32", "-Xcuda-ptxas -maxrregcount=32"},
           {"-Xptxas -v", "-Xcuda-ptxas -v"},
           {"-Xptxas=-v,-dlcm=ca", "-Xcuda-ptxas -v -Xcuda-ptxas -dlcm=ca"},
           {"--ptxas-options=-v", "-Xcuda-ptxas -v"},
           {"-Xptxas -O3~-v", "-Xcuda-ptxas -O3 -Xcuda-ptxas -v"},
           {"-res-usage", "-Xcuda-ptxas -v"},
           {"-Xfatbin -compress-all", "-Xcuda-fatbinary -compress-all"},
           {"-Xcompiler -Wall", "-Wall"},
           {"-Xcompiler=-fPIC,-O2", "-fPIC -O2"},
           {"-Xcompiler -Wall~-fopenmp", "-Wall -fopenmp"},
           {"--compiler-options=-fPIC", "-fPIC"},
           {"--compiler-options -fPIC", "-fPIC"},
           {"-Xcompiler -Wl,-rpath,/x", "-Wl,-rpath,/x"},
           {"-Xcompiler -Wl\\,-rpath\\,/x,-g", "-Wl,-rpath,/x -g"},
           {"-Xcompiler -include -Xcompiler a.h", "-include a.h"},
           {"-Xlinker -rpath,/x", "-Xlinker -rpath -Xlinker /x"},
           {"--linker-options=-z,now", "-Xlinker -z -Xlinker now"},
           {"-std=c++17", "-std=c++17"},
           {"--std=c++17", "-std=c++17"},
           {"--std c++17", "-std=c++17"},
           {"-std c++17", "-std=c++17"},
           {"-O3", "-O3"},
           {"-O 3", "-O3"},
           {"--optimize=3", "-O3"},
           {"--optimize 2", "-O2"},
           {"--disable-warnings", "-w"},
           {"--default-stream legacy", ""},
           {"-default-stream=null", ""},
           {"--default-stream per-thread",
            "-Xclang -fgpu-default-stream=per-thread"},
           {"-m64", "-m64"},
           {"--machine 64", "-m64"},
           {"-m 64", "-m64"},
           {"--library cublas,cufft", "-lcublas -lcufft"},
           {"--library-path=/l", "-L/l"},
           {"--define-macro A=1,B", "-DA=1 -DB"},
           {"--define-macro S=\"a,b\",B", "-DS=\"a,b\" -DB"},
           {"--undefine-macro=A", "-UA"},
           // In a command that is nvcc's alone, and where it splits them.
           {"-DA=1,B -Xcompiler -g", "-DA=1 -DB -g"},
           {"-D A=1,B -Xcompiler -g", "-DA=1 -DB -g"},
           {"-DA=1\\,B -Xcompiler -g", "-DA=1,B -g"},
           {"-DA=\"1,2\" -Xcompiler -g", "-DA=\"1,2\" -g"},
           {"-I/a,/b -L/c,/d -lx,y -Xcompiler -g",
            "-I/a -I/b -L/c -L/d -lx -ly -g"},
           {"-isystem /a,/b -Xcompiler -DA=1", "-isystem /a -isystem /b -DA=1"},
           {"-U=A,B -D=A,B -include=a,b a.cu",
            "-UA -UB -DA -DB -include a -include b a.cu"},
           // A backslash takes the meaning from what follows in macros only.
           {"-DA=\\\"x\\\" -Xcompiler -g", "-DA=\"x\" -g"},
           {"-DA=\\\"x\\,y\\\",B -Xcompiler -g", "-DA=\"x,y\" -DB -g"},
           {"-DA=\"x\\\"y,z\",B -Xcompiler -g", "-DA=\"x\"y,z\" -DB -g"},
           {"-DA~,~B=1~ -I~/a~,~/b -Xcompiler -g", "-DA -DB=1 -I/a -I/b -g"},
           {"-I\"/a,b\",c\\,d -lx\\,y -include a,b -Xcompiler -g",
            "-I/a,b -Ic\\ -Id -lx\\ -ly -include a -include b -g"},
           // What nvcc's host compiler would refuse is one value.
           {"-DA=1,2,4 -DF(x,y)=x -UA,1 -Xcompiler -g",
            "-DA=1,2,4 -DF(x,y)=x -UA,1 -g"},
           {"-DA=1,F(x)=x -Xcompiler -g", "-DA=1 -DF(x)=x -g"},
           {"-DA=1,B", "-DA=1,B"},
           {"-DA=\\\"x\\\" -I\"/a\"", "-DA=\\\"x\\\" -I\"/a\""},
           {"-DA=1,B a.c -Xcompiler -g", "-DA=1,B a.c -g"},
           {"-o -DA=1,B -Xcompiler -g", "-o -DA=1,B -g"},
           {"--include-path inc", "-Iinc"},
           {"-include-path=a,b", "-Ia -Ib"},
           {"--system-include=s", "-isystem s"},
           {"--pre-include p.h", "-include p.h"},
           {"--output-file out", "-o out"},
           {"--compile", "--compile"},
           {"-x cu", "-x cu"},
           {"--x=cu", "-xcu"},
           {"--x cu", "-xcu"},
           {"-isystem=/i a.cu", "-isystem /i a.cu"},
           {"-I=/i a.cu", "-I/i a.cu"},
           {"-keep", "-save-temps"},
           {"--dryrun", ""},
           {"-Werror=reorder,deprecated-declarations",
            "-Werror=reorder -Werror=deprecated-declarations"},
           {"-Xcompiler -Werror,-Wall", "-Wall"},
           {"-Xcompiler -Werror=format", "-Werror=format"},
           {"-Werror", "-Werror"},
           {"--Werror=reorder,default-stream-launch", "-Werror=reorder"},
           {"-noeh", "-fno-exceptions"},
           {"-ftemplate-depth 900", "-ftemplate-depth=900"},
           {"-cuda a.cu", "-o a.cu.cpp.ii a.cu"},
           {"-ptx a.cu", "--cuda-device-only -S -o a.ptx a.cu"},
           {"-ptx a.cu -o b.ptx", "--cuda-device-only -S a.cu -o b.ptx"},
           {"-fatbin a.cu", "--cuda-device-only --gpu-bundle-output -c -o "
                            "a.fatbin a.cu"},
           {"-ptx -opt-info inline -objtemp a.cu",
            "--cuda-device-only -S -o a.ptx a.cu"},
           {"-ptx -ob.ptx a.cu", "--cuda-device-only -S -ob.ptx a.cu"},
           {"-ptx --output-file b.ptx a.cu",
            "--cuda-device-only -S -o b.ptx a.cu"},
           {"-cubin dir/a.cu", "--cuda-device-only -c -o a.cubin dir/a.cu"},
       }) {
    INFO(Line);
    CHECK(flags(Line) == Expected);
  }
}

TEST_CASE("nvcc's -x is about all inputs, wherever it stands") {
  for (const auto &[Line, Expected] :
       std::initializer_list<std::pair<const char *, const char *>>{
           {"a.cpp -x cu -c", "-x cu a.cpp -c"},
           {"a.cpp -xcu -c", "-x cu a.cpp -c"},
           {"a.cpp --x=cu -c", "-x cu a.cpp -c"},
           {"-x cu a.cpp b.o", "-x cu a.cpp b.o"},
           {"a.cpp -o x.cpp -x cu b.cpp", "-x cu a.cpp -o x.cpp b.cpp"},
           // What is linked stays that.
           {"a.o b.cpp libc.so.1 d.a -x cu e.cpp",
            "a.o -x cu b.cpp -x none libc.so.1 d.a -x cu e.cpp"},
           {"a.cu -x c++ -Xcompiler -g", "-x c++ a.cu -g"},
           {"a.cu -x c -Xcompiler -g", "-x c a.cu -g"},
           // In clang's words it is about the inputs after it.
           {"a.cu -x c++ b.cu", "a.cu -x c++ b.cu"},
           {"a.cpp -x cuda b.cpp -Xcompiler -g", "a.cpp -x cuda b.cpp -g"},
           {"-x cu a.cpp -x none b.o", "-x cu a.cpp -x none b.o"},
       }) {
    INFO(Line);
    CHECK(flags(Line) == Expected);
    CHECK(full(Line).Notes.empty());
  }
  const echo::Translated Several = full("-x cu a.cpp -x c++ b.cpp");
  CHECK(llvm::join(Several.Args, " ") == "-x c++ a.cpp b.cpp");
  CHECK(Several.Notes ==
        std::vector<std::string>{"'-x' names several languages; as with nvcc "
                                 "the last, 'c++', is that of all inputs"});
}

TEST_CASE("what is printed or timed is no word of clang's") {
  CHECK(full("-dryrun a.cu").DryRun);
  CHECK_FALSE(full("-### a.cu").DryRun);
  for (const char *Line : {"--time t.csv a.cu", "-time t.csv a.cu",
                           "--time=t.csv a.cu", "-time=t.csv a.cu"}) {
    INFO(Line);
    CHECK(full(Line).TimeFile == "t.csv");
    CHECK(flags(Line) == "a.cu");
  }
  CHECK(full("-time - a.cu").TimeFile == "-");
  CHECK(full("--time t.csv a.c").TimeFile == "t.csv");
  CHECK(full("--time t.csv a.o").TimeFile == "t.csv");
  CHECK(refusal("--time= a.cu") ==
        "invalid value '' in '--time': name a file, or write - for standard "
        "output");
  CHECK(refusal("a.cu --time") == "argument to '--time' is missing");
  // Clang's flag of this name takes no file: the next word is an input.
  for (const char *Line : {"-time a.c", "-time a.o"}) {
    INFO(Line);
    CHECK(full(Line).TimeFile.empty());
    CHECK(flags(Line) == Line);
  }
}

TEST_CASE("arithmetic of the host compiler's flags is the host's alone") {
  for (const auto &[Line, Expected] :
       std::vector<std::pair<const char *, std::string>>{
           {"-Xcompiler -ffast-math", "-Xarch_host -ffast-math"},
           {"-Xcompiler=-fno-math-errno,-Wall",
            "-Xarch_host -fno-math-errno -Wall"},
           {"-Xcompiler -ffp-contract=off", "-Xarch_host -ffp-contract=off"},
           {"-Xcompiler -Ofast", "-Xarch_host -ffast-math -O3"},
           {"-Xcompiler -O2,-funsafe-math-optimizations",
            "-Xarch_host -funsafe-math-optimizations -O2"},
           {"-Xcompiler -fno-signed-zeros", "-Xarch_host -fno-signed-zeros"},
           {"-ffast-math", "-ffast-math"},
           {"-Xcompiler -fopenmp", "-fopenmp"},
       }) {
    INFO(Line);
    CHECK(flags(Line) == Expected);
  }
}

TEST_CASE("flags of nvcc's language define their macros") {
  for (const char *Line :
       {"--extended-lambda", "-extended-lambda", "--expt-extended-lambda"})
    CHECK(flags(Line) == "-D__CUDACC_EXTENDED_LAMBDA__=1");
  for (const char *Line :
       {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr"})
    CHECK(flags(Line) == "-D__CUDACC_RELAXED_CONSTEXPR__=1");
}

TEST_CASE("flags that only concern nvcc leave nothing, and no note") {
  for (const char *Line :
       {"-t 4", "--threads 4", "-t=0", "-t4", "-split-compile=0",
        "-forward-unknown-to-host-compiler", "-diag-suppress=20012",
        "--diag-suppress 177,20012", "-Xcudafe --diag_suppress=1",
        "-Xcudafe=--display_error_number", "-Wno-deprecated-gpu-targets",
        "--Wno-deprecated-gpu-targets", "-allow-unsupported-compiler",
        "-cudadevrt static", "-Wext-lambda-captures-this", "-err-no"}) {
    INFO(Line);
    auto Result = full(Line);
    CHECK(Result.Args.empty());
    CHECK(Result.Notes.empty());
  }
}

TEST_CASE("facts for the driver") {
  CHECK(full("-cudart shared").CudaRt == "shared");
  CHECK(full("--cudart=none").CudaRt == "none");
  CHECK_FALSE(full("a.cu").CudaRt);
  CHECK(full("-dc a.cu").DeviceCompile);
  CHECK(full("-dlink a.o -o d.o").Dlink);
  CHECK(full("--default-stream=per-thread").PerThreadStream);
  CHECK_FALSE(full("--default-stream=legacy").PerThreadStream);
}

TEST_CASE("-ccbin is noted, with and without =") {
  for (const char *Line : {"-ccbin g++", "-ccbin=/usr/bin/g++",
                           "--compiler-bindir clang", "-compiler-bindir=x"}) {
    auto Result = full(Line);
    CHECK(Result.Args.empty());
    REQUIRE(Result.Notes.size() == 1);
    CHECK(Result.Notes[0].find("has no effect") != std::string::npos);
  }
}

TEST_CASE("nvcc's warnings as errors are noted, as clang has others") {
  for (const char *Line :
       {"-Werror all-warnings", "-Werror=all-warnings", "-Xcompiler -Werror",
        "--compiler-options=-Werror", "-Xcompiler -Wall,-Werror"}) {
    INFO(Line);
    auto Result = full(Line);
    CHECK_FALSE(llvm::is_contained(Result.Args, "-Werror"));
    REQUIRE(Result.Notes.size() == 1);
    CHECK(Result.Notes[0].find("has no effect") != std::string::npos);
  }
}

TEST_CASE("clang's own options come out as they went in") {
  for (const char *Line : {"-o -G a.cu",
                           "-Xclang -dc a.cu",
                           "-I -arch a.cu",
                           "-MF -lineinfo",
                           "-D -dc a.c",
                           "-include -ptx a.c",
                           "-mllvm -G",
                           "-Xlinker -dc a.c",
                           "-O2 -g -Wall -Werror -c a.c -o a.o",
                           "-Werror=format a.cu",
                           "-Xlinker -z,now a.c",
                           "-lcudart -lm -lineup a.o",
                           "-u sym a.o",
                           "-usym a.o",
                           "-dM -E a.c",
                           "-dumpversion",
                           "-dumpmachine",
                           "-L=lib a.c",
                           "-Wl,-rpath,/x a.o",
                           "-MD -MF d -MT t",
                           "-t a.o",
                           "-m32 a.c",
                           "- -E",
                           "-fgpu-rdc --offload-arch=sm_80 --cuda-path=/c",
                           "-x c a.txt",
                           "-Xcuda-ptxas -G",
                           "-Xarch_device -G",
                           "--version",
                           "-###",
                           "-shared",
                           "-save-temps",
                           "-c -- -dc -arch",
                           "-lib a.c",
                           "-link a.c",
                           "-lto a.c",
                           "-flto -march=native -fopenmp -std=gnu11 a.c",
                           "-e main",
                           "-v"}) {
    INFO(Line);
    auto Result = full(Line);
    CHECK(Result.Args == words(Line));
    CHECK(Result.Notes.empty());
  }
}

TEST_CASE("an incomplete option of clang is left to clang") {
  CHECK(flags("a.c -o") == "a.c -o");
}

TEST_CASE("what is nobody's is an error with the nearest spelling") {
  auto [Line, Expected] = GENERATE(table<std::string, std::string>({
      {"-frobnicate", "unknown argument '-frobnicate'"},
      {"-use_fastmath", "did you mean '-use_fast_math'?"},
      {"-use-fast-math", "did you mean '-use_fast_math'?"},
      {"-lineinf", "did you mean '-lineinfo'?"},
      {"-dlnk", "did you mean '-dlink'?"},
      {"--relocatable-device-cod=true", "'--relocatable-device-code'?"},
      {"--expt-relaxed-constexp", "did you mean '--expt-relaxed-constexpr'?"},
      {"--estimate-rum=run.json", "did you mean '--estimate-run'?"},
      {"-gencod arch=compute_80", "did you mean '-gencode'?"},
      {"-Xcompiler -fno-such-flag", "in '-Xcompiler'"},
      {"-rdc=maybe", "invalid value 'maybe' in '-rdc': write true or false"},
      {"-cudart dynamic", "write static, shared or none"},
      {"--default-stream other", "write legacy or null or per-thread"},
      {"-m32 a.cu", "CUDA programs are 64-bit"},
      {"--machine=32", "CUDA programs are 64-bit"},
      {"-maxrregcount=lots", "write a number of registers"},
      {"-lib a.o", "ar rcs"},
      {"-deviceemu", "use --device=cpu"},
      {"-odir out", "-o DIR/FILE"},
      {"-Xptxas", "argument to '-Xptxas' is missing"},
      {"-optf /no/such/file", "cannot read options file '/no/such/file'"},
  }));
  INFO(Line << " gave: " << refusal(Line));
  CHECK(refusal(Line).find(Expected) != std::string::npos);
}

TEST_CASE("words for device code are no warning where none is compiled") {
  auto Args = full("-use_fast_math -lineinfo -arch=sm_80 a.c").Args;
  CHECK(Args.front() == "--start-no-unused-arguments");
  CHECK(std::count(Args.begin(), Args.end(), "--start-no-unused-arguments") ==
        std::count(Args.begin(), Args.end(), "--end-no-unused-arguments"));
}

TEST_CASE("architectures are noted only where CUDA is compiled") {
  CHECK(full("-arch=sm_60 -c a.cu").Notes.size() == 1);
  CHECK(full("-arch=sm_60 a.o b.a -o a").Notes.empty());
  CHECK(full("-arch=sm_60 -c a.cpp").Notes.empty());
}

namespace {
struct Spelled {
  const char *Long, *Short, *Style;
};
} // namespace

TEST_CASE("every row of the table is taken, never read as something else") {
  static const Spelled Rows[] = {
#define NVCC_FLAG(Long, Short, Takes, Does, Text) {Long, Short, #Takes},
#include "nvcc/NvccFlags.def"
  };
  for (const Spelled &Row : Rows)
    for (std::string Name : {Row.Long, Row.Short})
      for (std::string Dashes : {"-", "--"}) {
        std::string Style = Row.Style;
        bool Letter = Name.size() == 1;
        if (Name.empty() || (Letter && Dashes == "--"))
          continue;
        std::string Word = Dashes + Name;
        for (const char *Value : {"", "=", "=1", "=a,b", " 1", " -G", " a"}) {
          std::string Line = Word + Value + " a.cu";
          std::string Error = refusal(Line);
          INFO(Line << ": " << Error);
          bool Fits =
              Style == "None" || Style == "Cuda" ? !*Value : Value[0] != 0;
          if (Fits && Style != "Number" && Style != "Equal" && Name != "Werror")
            CHECK(Error.find("unknown argument '" + Word) == std::string::npos);
          if (Error.empty() && Style == "None" && !*Value) {
            auto Args = full(Line).Args;
            CHECK((Word == "--help" || Word == "-w" ||
                   Word == "-Wno-deprecated-declarations" ||
                   Word == "-Wreorder" ||
                   std::find(Args.begin(), Args.end(), Word) == Args.end()));
          }
        }
      }
}

TEST_CASE("lines of real Makefiles") {
  CHECK(flags("-O3 -std=c++17 -Xcompiler -Wall -arch=sm_90 --use_fast_math -c "
              "main.cu -o main.o")
            .find("-O3 -std=c++17 -Wall -fgpu-approx") == 0);
  CHECK(flags("-ccbin g++ -m64 -Xcompiler -fPIC --threads 0 --std=c++17 "
              "-gencode arch=compute_75,code=sm_75 -o x.o -c x.cu") ==
        "-m64 -fPIC -std=c++17 -o x.o -c x.cu --offload-arch=sm_75");
  CHECK(flags("-O3 a.cu b.c -o exe -lm") == "-O3 a.cu b.c -o exe -lm");
}

TEST_CASE("lists of architectures") {
  echo::ArchLimits Limits;
  Limits.MinSM = 75;
  Limits.MaxSM = 89;
  for (auto [Flag, Prefix] : {std::pair{"-list-gpu-arch", "compute_"},
                              std::pair{"--list-gpu-code", "sm_"}}) {
    llvm::Expected<echo::Translated> T =
        echo::translateNvccFlags({Flag}, Limits);
    REQUIRE(bool(T));
    std::string All;
    for (const char *Number : {"75", "80", "86", "87", "88", "89"})
      All += std::string(Prefix) + Number + "\n";
    CHECK(T->Listed == All);
  }
}
