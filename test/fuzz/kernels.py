# The kernels that generated programs launch: their CUDA source and what they do,
# element by element, so that the machine knows every byte they touch.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels, as text and as Python.

Each row: parameters ("p" a pointer, "n" a number), CUDA body, and a function of views
(v[i] reads, v[i] = x writes) and numbers. In the CUDA body `i` is the thread's number.
"""


def _set(w, n, a):
    for i in range(n):
        w[i] = a + i


def _scale(d, n, a):
    for i in range(n):
        d[i] = d[i] * 3 + a


def _map(out, src, n, a):
    for i in range(n):
        out[i] = src[i] * 5 + a


def _accumulate(out, src, n):
    for i in range(n):
        out[i] = out[i] + src[i]


def _zip(out, x, y, n):
    for i in range(n):
        out[i] = x[i] * 7 + y[i]


def _total(out, src, n):
    total = 0
    for i in range(n):
        total = total * 3 + src[i]
    out[0] = total


def _inner(out, src, n):
    for i in range(1, max(n - 1, 1)):
        out[i] = src[i] + 9


def _odd(d, n, a):
    for i in range(1, n, 2):
        d[i] = a + i


def _unused(x, d, n):
    for i in range(n):
        d[i] = d[i] + 1


def _maybe(out, flag, n, a):
    if flag[0] & 1:
        for i in range(n):
            out[i] = a + i


def _aggregate(d, n):
    for i in range(n):
        d[i] = d[i] * 11 + 1


def _keep(d):
    pass


def _kept(d, n, a):
    for i in range(n):
        d[i] = d[i] + a


def _system_atomic(d, n):
    for i in range(n):
        d[i] = d[i] + 1


KERNELS = {
    # name: (parameters, CUDA body, function)
    "set": ("pnn", "T *w, unsigned n, unsigned a", "if (i < n) w[i] = (T)(a + i);", _set),
    "scale": ("pnn", "T *d, unsigned n, unsigned a", "if (i < n) d[i] = (T)(d[i] * 3 + a);", _scale),
    "map": ("ppnn", "T *out, const T *in, unsigned n, unsigned a",
            "if (i < n) out[i] = (T)(in[i] * 5 + a);", _map),
    "accumulate": ("ppn", "T *out, const T *in, unsigned n",
                   "if (i < n) out[i] = (T)(out[i] + in[i]);", _accumulate),
    "zip": ("pppn", "T *out, const T *x, const T *y, unsigned n",
            "if (i < n) out[i] = (T)(x[i] * 7 + y[i]);", _zip),
    "total": ("ppn", "T *out, const T *in, unsigned n",
              "if (i == 0) { T t = 0; for (unsigned k = 0; k < n; ++k) t = (T)(t * 3 + in[k]); out[0] = t; }",
              _total),
    "inner": ("ppn", "T *out, const T *in, unsigned n",
              "if (i >= 1 && i + 1 < n) out[i] = (T)(in[i] + 9);", _inner),
    "odd": ("pnn", "T *d, unsigned n, unsigned a", "if (i < n && i % 2) d[i] = (T)(a + i);", _odd),
    "unused": ("ppn", "T *x, T *d, unsigned n", "if (i < n) d[i] = (T)(d[i] + 1);", _unused),
    "maybe": ("ppnn", "T *out, const T *flag, unsigned n, unsigned a",
              "if (i < n && (flag[0] & 1)) out[i] = (T)(a + i);", _maybe),
    "aggregate": ("pn", "Span<T> s", "if (i < s.n) s.p[i] = (T)(s.p[i] * 11 + 1);", _aggregate),
    # One stores its pointer in device memory, the other uses what was stored.
    "keep": ("p", "T *d", "if (i == 0) kept_pointer = d;", _keep),
    "kept": ("nn", "unsigned n, unsigned a",
             "T *d = (T *)kept_pointer; if (i < n) d[i] = (T)(d[i] + a);", _kept),
    "system_atomic": ("pn", "T *d, unsigned n", "if (i < n) atomicAdd_system(d + i, (T)1);",
                      _system_atomic),  # 4 or 8 bytes only
}


def source(names):
    """CUDA source of the kernels called `names`. "v_NAME" is kernel NAME with all its
    parameters in one struct, K_NAME."""
    lines = ["template <class T> struct Span { T *p; unsigned n; };", "__device__ void *kept_pointer;"]
    for name in sorted(names):
        view = name.startswith("v_")
        _, parameters, body, _ = KERNELS[name.removeprefix("v_")]
        if view:
            fields = parameters.split(", ")
            lines.append(f"template <class T> struct K_{name[2:]} {{ {'; '.join(fields)}; }};")
            parameters = f"K_{name[2:]}<T> view"
        lines.append(f"template <class T> __global__ void k_{name}({parameters}) {{")
        lines.append("  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;")
        if view:
            lines += [f"  {field} = view.{field.split()[-1].lstrip('*')};" for field in fields]
        lines.append(f"  {body}")
        lines.append("}")
    return lines


class View:
    """What a kernel sees of a buffer; notes which elements it reads and writes."""

    def __init__(self, instance, offset, elem):
        self.instance, self.offset, self.elem = instance, offset, elem
        self.reads, self.writes = set(), set()

    def _at(self, index):
        return self.offset + index * self.elem

    def __getitem__(self, index):
        at = self._at(index)
        self.reads.add(at)
        return int.from_bytes(self.instance.bytes_at(at, self.elem), "little")

    def __setitem__(self, index, value):
        at = self._at(index)
        self.writes.add(at)
        value &= (1 << 8 * self.elem) - 1
        self.instance.store(at, value.to_bytes(self.elem, "little"))

    def ranges(self, touched):
        """Byte ranges of a set of element offsets."""
        out = []
        for at in sorted(touched):
            if out and out[-1][1] == at:
                out[-1][1] = at + self.elem
            else:
                out.append([at, at + self.elem])
        return out
