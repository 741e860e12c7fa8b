// --time appends the times of the jobs that ran to a table, in nvcc's format.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.cu && cp %S/Inputs/plain.c .
// RUN: %echo_cc -w --time table -gencode arch=compute_80,code=[sm_80,sm_90] app.cu -o app
// RUN: FileCheck --match-full-lines --strict-whitespace --input-file=table %s
// RUN: %echo_cc -w --time=table --device=cpu -c app.cu && FileCheck --check-prefix=TWICE --input-file=table %s
// RUN: %echo_cc -w -time - -ptx app.cu | FileCheck --check-prefix=PTX %s
// RUN: %echo_cc -w -dc app.cu -o dc.o && %echo_cc --time - -dlink dc.o -o dl.o | FileCheck --check-prefix=DLINK %s
// RUN: %echo_cc --time - plain.c -c -o plain.o | FileCheck --check-prefix=PLAIN %s
// The rows of a command that fails are those of what ran; there is no file of a command that ran nothing.
// RUN: not %echo_cc -w -DWRONG --time - -c app.cu 2> %t/errors | FileCheck --check-prefix=WRONG %s
// RUN: %echo_cc -w --time none -dryrun -c app.cu 2> %t/errors && not ls none
// RUN: %echo_cc -w --time none -### -c app.cu 2> %t/errors && not ls none
// RUN: not %echo_cc -w --time missing/table -c app.cu 2>&1 | FileCheck --check-prefix=MISSING %s
// Commands that run at the same time share a table; clang's own report of processes stays.
// RUN: sh -c 'for i in 1 2 3 4 5 6; do %echo_cc --time many plain.c -c -o $i.o & done; wait' && grep -c ', ms$' many | FileCheck --check-prefix=MANY %s
// RUN: grep -c '^source file name' many | FileCheck --check-prefix=ONCE %s
// RUN: %echo_cc --time table -fproc-stat-report plain.c -c -o plain.o | FileCheck --check-prefix=STAT %s
// RUN: tail -n 1 table | FileCheck --check-prefix=LAST %s
// Without a file it is clang's flag.
// RUN: %echo_cc -time plain.c -c -o plain.o 2>&1 | FileCheck --check-prefix=CLANG %s

//      CHECK:source file name , phase name , phase input files , phase output file , arch , tool, metric , unit
// CHECK-NEXT:app.cu , echo-cc (compiling) , app.cu  , [[A:/.*app-sm_80-.*\.s]] , sm_80 , echo-cc , {{[0-9]+\.[0-9][0-9][0-9][0-9]}} , ms
// CHECK-NEXT:app.cu , ptxas , [[A]]  , [[ACUBIN:/.*]] , sm_80 , echo-cc , {{[0-9]+\.[0-9][0-9][0-9][0-9]}} , ms
// CHECK-NEXT:app.cu , echo-cc (compiling) , app.cu  , [[B:/.*app-sm_90-.*\.s]] , sm_90 , echo-cc , {{[0-9]+\.[0-9][0-9][0-9][0-9]}} , ms
// CHECK-NEXT:app.cu , ptxas , [[B]]  , [[BCUBIN:/.*]] , sm_90 , echo-cc , {{[0-9]+\.[0-9][0-9][0-9][0-9]}} , ms
// CHECK-NEXT:app.cu , fatbinary , [[ACUBIN]] [[BCUBIN]]  , [[FATBIN:/.*]] ,  , echo-cc , {{[0-9]+\.[0-9][0-9][0-9][0-9]}} , ms
// CHECK-NEXT:app.cu , echo-cc (compiling) , app.cu [[FATBIN]]  , [[OBJECT:/.*]] ,  , echo-cc , {{[0-9]+\.[0-9][0-9][0-9][0-9]}} , ms
// CHECK-NEXT:app.cu , clang-linker-wrapper (linking) , [[OBJECT]]  , app ,  , echo-cc , {{[0-9]+\.[0-9][0-9][0-9][0-9]}} , ms
// CHECK-NEXT: , echo-cc (driver) ,   , app ,  , echo-cc , {{[0-9]+\.[0-9][0-9][0-9][0-9]}} , ms
//  CHECK-NOT:{{.+}}
// TWICE: {{^}}source file name
// TWICE-NOT: {{^}}source file name
// TWICE: {{^}} , echo-cc (driver) ,   , app ,
// TWICE-NEXT: {{^}}app.cu , echo-cc (compiling) , app.cu  , {{.*}}.bc , sm_89 ,
// TWICE-NEXT: {{^}}app.cu , echo-cc (compiling) , app.cu  , app.o ,  ,
// TWICE-NEXT: {{^}} , echo-cc (driver) ,   ,  ,  ,
// PTX: {{^}}source file name
// PTX-NEXT: {{^}}app.cu , echo-cc (compiling) , app.cu  , app.ptx , sm_{{.*}} , ms
// PTX-NEXT: {{^}} , echo-cc (driver) ,   , app.ptx ,
// DLINK: {{^}}dc.o , clang-linker-wrapper (linking) , dc.o  , dl.o ,  , echo-cc , {{.*}} , ms
// DLINK-NEXT: {{^}} , echo-cc (driver) ,   , dl.o ,
// PLAIN: {{^}}plain.c , clang (compiling) , plain.c  , plain.o ,  , echo-cc ,
// WRONG: {{^}}app.cu , echo-cc (compiling) , app.cu  , {{.*}} , ms{{$}}
// WRONG-NOT: , ms
// MISSING: error: cannot write 'missing/table' (--time): No such file or directory
// MANY: {{^}}12{{$}}
// ONCE: {{^}}1{{$}}
// STAT: output=plain.o, total=
// LAST: {{^}} , echo-cc (driver) ,   , plain.o ,
// CLANG: warning: argument unused during compilation: '-time'
#ifdef WRONG
wrong
#endif
__global__ void k(int *p) { *p = 1; }
int main() {}
