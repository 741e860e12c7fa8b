# CUDA programs of a given size, for scaling.py.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each shape is a function from a number of units to CUDA source. Programs need
not run: they are made so that Echo finds, and proves, every pair."""

PROLOGUE = """#include <cstdlib>
#include <cuda_runtime.h>
__global__ void step(float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] = d[i] * 2.0f + 1.0f;
}
"""

LAUNCH = "step<<<(n + 255) / 256, 256>>>(d{k}, n);"


def allocate(k):
    return (f"  float *h{k} = (float *)malloc(n * sizeof(float));\n"
            f"  float *d{k};\n"
            f"  cudaMalloc(&d{k}, n * sizeof(float));\n")


def use(k):
    """One pair: filled by the host, changed by a kernel, read by the host."""
    return (f"  for (int i = 0; i < n; ++i)\n    h{k}[i] = i;\n"
            f"  cudaMemcpy(d{k}, h{k}, n * sizeof(float), "
            "cudaMemcpyHostToDevice);\n"
            f"  {LAUNCH.format(k=k)}\n"
            f"  cudaMemcpy(h{k}, d{k}, n * sizeof(float), "
            "cudaMemcpyDeviceToHost);\n"
            f"  for (int i = 0; i < n; ++i)\n    sum += h{k}[i];\n")


def release(k):
    return f"  cudaFree(d{k});\n  free(h{k});\n"


def small_functions(units):
    """Many functions with one pair each."""
    text = [PROLOGUE]
    for k in range(units):
        text.append(f"float f{k}(int n) {{\n  float sum = 0;\n" + allocate(k) +
                    use(k) + release(k) + "  return sum;\n}\n")
    calls = "".join(f"  sum += f{k}(n);\n" for k in range(units))
    text.append("int main(int n, char **) {\n  float sum = 0;\n" + calls +
                "  return (int)sum;\n}\n")
    return "".join(text)


def pairs_in_turn(units):
    """One function; each pair is freed before the next is allocated."""
    body = "".join(allocate(k) + use(k) + release(k) for k in range(units))
    return (PROLOGUE + "int main(int n, char **) {\n  float sum = 0;\n" +
            body + "  return (int)sum;\n}\n")


def pairs_at_once(units):
    """One function; all pairs are allocated first and freed last."""
    body = "".join("".join(part(k) for k in range(units))
                   for part in (allocate, use, release))
    return (PROLOGUE + "int main(int n, char **) {\n  float sum = 0;\n" +
            body + "  return (int)sum;\n}\n")


def other_code(units):
    """One function with four pairs among much other host code."""
    def work(k):
        return (f"  int a{k} = x * {k + 3}, b{k} = x ^ {k};\n"
                f"  if (a{k} > b{k})\n    x += a{k};\n"
                f"  else\n    table[x & 63] -= b{k};\n"
                f"  x += table[a{k} & 63];\n")
    parts = ["".join(work(k) for k in range(units) if k % 5 == part)
             for part in range(5)]
    body = parts[0]
    for k in range(4):
        body += allocate(k) + use(k) + parts[k + 1] + release(k)
    return (PROLOGUE + "int main(int n, char **) {\n  float sum = 0;\n"
            "  int x = n, table[64] = {};\n" + body +
            "  return (int)sum + x;\n}\n")


def helper_chains(units):
    """Functions whose pair goes down a chain of eight helpers, with a helper
    at its end that all share."""
    depth = 8
    text = [PROLOGUE, "static void end(float *h, float *d, int n) {\n"
            "  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);\n"
            "  " + LAUNCH.format(k="") + "\n"
            "  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);\n"
            "}\n"]
    for k in range(units):
        for level in range(depth):
            inner = "end" if level == 0 else f"c{k}_{level - 1}"
            text.append(f"static void c{k}_{level}(float *h, float *d, int n)"
                        " {\n  for (int i = 0; i < n; ++i)\n"
                        f"    h[i] += i * {level};\n"
                        f"  {inner}(h, d, n);\n}}\n")
        text.append(f"float f{k}(int n) {{\n  float sum = 0;\n" + allocate(k) +
                    f"  c{k}_{depth - 1}(h{k}, d{k}, n);\n"
                    f"  for (int i = 0; i < n; ++i)\n    sum += h{k}[i];\n" +
                    release(k) + "  return sum;\n}\n")
    calls = "".join(f"  sum += f{k}(n);\n" for k in range(units))
    text.append("int main(int n, char **) {\n  float sum = 0;\n" + calls +
                "  return (int)sum;\n}\n")
    return "".join(text)


def deep_chains(units):
    """Chains of eight functions; each has a pair of its own, and copies its
    caller's, so that each is analyzed with all that is below it."""
    depth = 8
    text = [PROLOGUE]
    for k in range(units):
        last = k % depth == 0
        text.append(f"static float c{k}(float *h, float *d, int n) {{\n"
                    "  float sum = 0;\n"
                    "  cudaMemcpy(d, h, n * sizeof(float), "
                    "cudaMemcpyHostToDevice);\n"
                    f"  {LAUNCH.format(k='')}\n" +
                    allocate(k) + use(k) +
                    ("" if last else f"  sum += c{k - 1}(h{k}, d{k}, n);\n") +
                    release(k) +
                    "  cudaMemcpy(h, d, n * sizeof(float), "
                    "cudaMemcpyDeviceToHost);\n  return sum + h[0];\n}\n")
    calls = "".join(f"float f{k}(int n) {{\n  float sum = 0;\n" +
                    allocate("") + "  for (int i = 0; i < n; ++i)\n"
                    f"    h[i] = i;\n  sum += c{k}(h, d, n);\n" +
                    release("") + "  return sum;\n}\n"
                    for k in range(units)
                    if k % depth == depth - 1 or k == units - 1)
    return "".join(text) + calls + "int main() { return 0; }\n"


def shared_templates(units):
    """Many functions that share a big helper, a template."""
    steps = "".join(f"  if (n > {k})\n    for (int i = {k}; i < n; ++i)\n"
                    f"      h[i] += h[i - {k}] * {k};\n" for k in range(12))
    text = [PROLOGUE, "template <typename T> void fill(T *h, int n) {\n"
            "  for (int i = 0; i < n; ++i)\n    h[i] = i;\n" + steps + "}\n"]
    for k in range(units):
        text.append(f"float f{k}(int n) {{\n  float sum = 0;\n" + allocate(k) +
                    f"  fill(h{k}, n);\n" + use(k) + release(k) +
                    "  return sum;\n}\n")
    calls = "".join(f"  sum += f{k}(n);\n" for k in range(units))
    text.append("int main(int n, char **) {\n  float sum = 0;\n" + calls +
                "  return (int)sum;\n}\n")
    return "".join(text)


def loops(units):
    """One function with four pairs and many loops of the host over them."""
    def loop(k):
        p = k % 4
        return (f"  for (int i = 0; i < n; ++i)\n"
                f"    for (int j = 0; j < {k + 2}; ++j)\n"
                f"      h{p}[i] += h{p}[j] * {k};\n")
    body = "".join(allocate(k) for k in range(4))
    body += "".join(loop(k) for k in range(units))
    body += "".join(use(k) + release(k) for k in range(4))
    return (PROLOGUE + "int main(int n, char **) {\n  float sum = 0;\n" +
            body + "  return (int)sum;\n}\n")


def vectors(units):
    """Functions of a C++ program: std::vector, strings, printed results."""
    text = [PROLOGUE, "#include <cstdio>\n#include <string>\n"
            "#include <vector>\n"]
    for k in range(units):
        text.append(
            f"float f{k}(int n, const std::string &name) {{\n"
            f"  std::vector<float> h{k}(n);\n  float sum = 0, *d{k};\n"
            f"  for (int i = 0; i < n; ++i)\n    h{k}[i] = i;\n"
            f"  cudaMalloc(&d{k}, n * sizeof(float));\n"
            f"  cudaMemcpy(d{k}, h{k}.data(), n * sizeof(float), "
            "cudaMemcpyHostToDevice);\n"
            f"  {LAUNCH.format(k=k)}\n"
            f"  cudaMemcpy(h{k}.data(), d{k}, n * sizeof(float), "
            "cudaMemcpyDeviceToHost);\n"
            f"  for (float x : h{k})\n    sum += x;\n"
            f"  std::string text = name + \"{k}\";\n"
            f"  printf(\"%s\\n\", text.c_str());\n  cudaFree(d{k});\n"
            "  return sum;\n}\n")
    calls = "".join(f"  sum += f{k}(n, \"f\");\n" for k in range(units))
    text.append("int main(int n, char **) {\n  float sum = 0;\n" + calls +
                "  return (int)sum;\n}\n")
    return "".join(text)


SHAPES = (small_functions, pairs_in_turn, pairs_at_once, other_code,
          helper_chains, deep_chains, shared_templates, loops, vectors)
