// -dryrun prints, in nvcc's format, commands that a shell can run; it runs none.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t/tmp %t/dry && cd %t && cp %s app.cu
// RUN: env TMPDIR=%t/tmp %echo_cc -w -dryrun -arch=sm_80 -c app.cu -o dry/app.o 2> gpu && ls tmp dry | FileCheck --allow-empty --check-prefix=NOTHING %s
// RUN: FileCheck --input-file=gpu %s
// RUN: not grep -v '^#\$ ' gpu
// RUN: env TMPDIR=%t/tmp %echo_cc -w -dryrun -arch=sm_80 app.cu -o app 2>&1 | FileCheck --check-prefix=LINK %s
// The commands make what echo-cc makes, and leave no file.
// RUN: sed -n 's/^#\$ \([^_A-Z]\)/\1/p' gpu > gpu.sh && sh -e gpu.sh && ls tmp | count 0
// RUN: mkdir real && %echo_cc -w -arch=sm_80 -c app.cu -o real/app.o && cmp dry/app.o real/app.o
// The same on the CPU device, of words that a shell would read otherwise, and of link-time optimization.
// RUN: env TMPDIR=%t/tmp %echo_cc -w --dryrun --device=cpu -DSAY='"a $HOME `id` \\ b"' app.cu -o app 2> cpu && ls tmp | count 0
// RUN: sed -n 's/^#\$ \([^_A-Z]\)/\1/p' cpu > cpu.sh && sh -e cpu.sh && ls tmp | count 0
// RUN: llvm-strings app | FileCheck --check-prefix=SAYS %s
// RUN: %echo_cc -w -dryrun --device=cpu -flto app.cu -o lto 2> lto.txt && FileCheck --check-prefix=LTO --input-file=lto.txt %s
// RUN: sed -n 's/^#\$ \([^_A-Z]\)/\1/p' lto.txt > lto.sh && sh -e lto.sh && ls lto
// Steps that echo-cc takes itself.
// RUN: %echo_cc -w -dryrun -cuda app.cu 2> cuda && not ls app.cu.cpp.ii
// RUN: sed -n 's/^#\$ \([^_A-Z]\)/\1/p' cuda > cuda.sh && sh -e cuda.sh && %echo_cc -w -cuda app.cu -o direct.ii && cmp direct.ii app.cu.cpp.ii
// RUN: %echo_cc -w -dc app.cu -o dc.o && %echo_cc -dryrun -dlink dc.o -o dl.o 2> dlink && not ls dl.o && FileCheck --check-prefix=DLINK --input-file=dlink %s
// RUN: %echo_cc -dryrun --run ./app --run-args 1,2 2>&1 | FileCheck --check-prefix=STARTS %s
// -### is clang's; an error is one here, too.
// RUN: %echo_cc -w -### -c app.cu 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: not %echo_cc -dryrun -c none.cu 2>&1 | FileCheck --check-prefix=NONE %s
// -v begins with the variables where CUDA is compiled, as CMake asks, and nowhere else.
// RUN: not %echo_cc -v __cmake_determine_cuda 2>&1 | FileCheck --check-prefix=VERBOSE %s
// RUN: %echo_cc -w -v -fsyntax-only app.cu 2>&1 | FileCheck --check-prefix=VERBOSE %s
// RUN: %echo_cc -v -fsyntax-only %S/Inputs/plain.c 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: %echo_cc -v 2>&1 | FileCheck --check-prefix=CLANG %s

// NOTHING-NOT: {{app.o|echo-}}
// CHECK: {{^}}#$ _NVVM_BRANCH_=nvvm{{$}}
// CHECK-NEXT: {{^}}#$ _SPACE_= {{$}}
// CHECK: {{^}}#$ _HERE_=[[BIN:.*/bin]]{{$}}
// CHECK: {{^}}#$ TOP=[[TOP:/.*]]{{$}}
// CHECK: {{^}}#$ PATH=[[TOP]]/bin:
// CHECK-NEXT: {{^}}#$ INCLUDES="-I{{.*}}include"  {{$}}
// CHECK: {{^}}#$ LIBRARIES=  "-L{{[^"]*}}"
// CHECK: {{^}}#$ PTXAS_FLAGS={{$}}
// CHECK-NEXT: {{^}}#$ [[BIN]]/echo-cc -cc1 {{.*}}--echo-facts-out=[[FACTS:[^ ]*]] {{.*}} -o [[PTX:[^ ]*\.s]] -x cuda app.cu{{$}}
// CHECK-NEXT: {{^}}#$ {{[^ ]*}}ptxas {{.*}} --output-file [[CUBIN:[^ ]*]] [[PTX]]{{$}}
// CHECK-NEXT: {{^}}#$ {{[^ ]*}}fatbinary {{.*}} --create [[FATBIN:[^ ]*]] {{.*}}file=[[CUBIN]]
// CHECK-NEXT: {{^}}#$ [[BIN]]/echo-cc -cc1 {{.*}}--echo-facts-in=[[FACTS]] {{.*}} -o dry/app.o -x cuda app.cu{{$}}
// CHECK-NEXT: {{^}}#$ rm -f {{.*}}[[PTX]] [[CUBIN]] [[FATBIN]] {{.*}}[[FACTS]]
// CHECK-NOT: #$
// LINK: {{^}}#$ {{[^ ]*}}clang-linker-wrapper {{.*}} -lcudart_static
// LINK-NEXT: {{^}}#$ rm -f
// SAYS: a $HOME `id` \ b
// LTO: {{^}}#$ env ECHO_LINK_OPTIONS="{\"{{.*}} {{[^ ]*}}clang-linker-wrapper
// LTO-NEXT: {{^}}#$ rm -f
// DLINK: {{^}}#$ TOP=
// DLINK: {{^}}#$ {{[^ ]*}}clang-linker-wrapper {{.*}} -o dl.o {{.*}} dc.o{{$}}
// STARTS: {{^}}#$ env LD_LIBRARY_PATH={{.*}}/app 1 2{{$}}
// CLANG-NOT: #$
// NONE: error: no such file or directory: 'none.cu'
// VERBOSE: {{^}}#$ TOP=/
// VERBOSE: clang version
#ifndef SAY
#define SAY "nothing"
#endif
__global__ void k(int *p) { *p = 1; }
const char *said = SAY;
int main(int Count, char **) {
  if (Count > 5)
    k<<<1, 1>>>(nullptr);
}
