# Judges small programs with the compiler of JUDGE_BUILD: a safe pair that merges, one that a
# run refutes, one that is safe and missed; and with a compiler that wrongly merges.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
JUDGE = os.path.join(ROOT, "scripts", "judge")
BUILD = os.environ.get("JUDGE_BUILD")
SOURCE = r"""
#include <cstdio>
#include <cstdlib>
__global__ void smooth(int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] = 3 * d[i] + 1;
#ifdef BEYOND
  if (d[i + n] == 77)
    d[i] = 0;
#endif
}
int main(int argc, char **argv) {
  int n = 1 << 16;
  int can = 0;
  cudaDeviceGetAttribute(&can, cudaDevAttrConcurrentManagedAccess, 0);
#ifdef NEEDS
  if (!can || (argc > 1 && atoi(argv[1]) > 200))
    return 1;
#endif
#ifdef SLOW
  const int outer = 900000, inner = 900000;
  volatile int spins = 0;
  for (int i = 0; i < outer; ++i)
    for (int j = 0; j < inner; ++j)
      spins = spins ^ j;
#endif
  int *h = (int *)malloc(n * sizeof(int)), *d;
  cudaMalloc(&d, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    h[i] = i;
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  smooth<<<n / 256, 256>>>(d, n);
#ifdef LOOK
  cudaDeviceSynchronize();
  if (argc > 1)
    printf("%d\n", h[atoi(argv[1])]);
#endif
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[5], h[n - 1]);
  free(h);
  cudaFree(d);
}
"""
MAKEFILE = """
main: main.cu
	nvcc -O2 $(FLAGS) main.cu -o main
clean:
	rm -f main
run: main
	./main {}
"""
# A compiler that lets the GPU write what the host still reads, in all builds but the followed ones.
WRONG = """#!/bin/sh
case "$*" in
*--check*) exec {0}/bin/echo-cc "$@" ;;
*) ECHO_TEST_WITHOUT=device-write-live-host exec {0}/bin/echo-cc-mutant "$@" ;;
esac
"""


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


@unittest.skipUnless(BUILD, "JUDGE_BUILD names no build folder")
class Judge(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def program(self, name, flags="", words=""):
        place = os.path.join(self.folder.name, "all", name)
        write(os.path.join(place, "main.cu"), SOURCE)
        write(os.path.join(place, "Makefile"), MAKEFILE.format(words).replace("$(FLAGS)", flags))

    def judge(self, build, *options):
        """(exit status, {program: record}, text)."""
        result = os.path.join(self.folder.name, "result.json")
        done = subprocess.run([JUDGE, os.path.join(self.folder.name, "all"), "--build", build,
                               "--out", os.path.join(self.folder.name, "out"), "--json", result, *options],
                              capture_output=True, text=True, check=False)
        self.assertTrue(os.path.exists(result), done.stdout + done.stderr)
        with open(result) as file:
            data = json.load(file)
        return done.returncode, {record["program"]: record for record in data["records"]}, done.stdout

    def test_verdicts_beside_runs(self):
        self.program("merged")
        self.program("refuted", "-DLOOK", "7")
        self.program("missed", "-DLOOK")
        status, records, text = self.judge(BUILD)
        self.assertEqual(status, 0, text)
        found = {name: (pair["merged"], pair["result"]) for name, record in records.items() for pair in record["pairs"]}
        self.assertEqual(found, {"merged": ("yes", "safe"), "refuted": ("no", "refuted"), "missed": ("no", "safe")})
        self.assertIn("| 50.0 % |", text)
        self.assertIn("| `device-write-live-host` | 1 |", text)

    def test_device_and_size_that_a_program_needs(self):
        self.program("some", "-DNEEDS", "800")
        status, records, text = self.judge(BUILD)
        self.assertEqual((status, records["some"]["stage"]), (0, "judged"), text)
        self.assertEqual((records["some"]["line"], records["some"]["devices"]), ("./main 2", ["thor"]))

    def test_constants_made_smaller(self):
        self.program("slow", "-DSLOW")
        status, records, text = self.judge(BUILD, "--limit", "1")
        self.assertEqual((status, records["slow"]["stage"]), (2, "built"), text)
        status, records, text = self.judge(BUILD, "--limit", "1", "--smaller", "--again")
        self.assertEqual((status, records["slow"]["stage"]), (0, "judged"), text)
        self.assertIn("main.cu:22: const int outer = 1728, inner = 1728;", records["slow"]["smaller"])
        (pair,) = records["slow"]["pairs"]
        self.assertEqual((pair["merged"], pair["result"]), ("yes", "safe"))

    def test_wrong_compiler_is_found(self):
        self.program("refuted", "-DLOOK", "7")
        self.program("undefined", "-DLOOK -DBEYOND", "7")
        wrong = os.path.join(self.folder.name, "wrong")
        write(os.path.join(wrong, "bin", "echo-cc"), WRONG.format(os.path.abspath(BUILD)), 0o755)
        status, records, text = self.judge(wrong)
        self.assertEqual(status, 1, text)
        failures = "\n".join(records["refuted"]["failures"])
        self.assertIn("merged, but refuted (S1)", failures)
        self.assertIn("merged differs", failures)
        # What has no defined behaviour is no failure.
        self.assertNotIn("merged differs", "\n".join(records["undefined"]["failures"]), text)
        self.assertIn("AddressSanitizer stops it", "\n".join(records["undefined"]["notes"]), text)


if __name__ == "__main__":
    unittest.main()
