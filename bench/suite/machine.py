# What the suite runs on: device, driver, libraries.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Facts about the machine for the results, and where its CUDA libraries lie."""

import ctypes
import datetime
import glob
import os
import pathlib
import platform
import re
import sys

# What the suite's programs load beside the driver, by shared object name.
LIBRARIES = ("libcublas.so.13", "libcublasLt.so.13", "libcufft.so.12", "libcudnn.so.9",
             "libcudnn_ops.so.9", "libcupti.so.13", "libnvrtc.so.13")
ATTRIBUTES = {"integrated": 18, "pageableMemoryAccess": 88, "concurrentManagedAccess": 89,
              "pageableMemoryAccessUsesHostPageTables": 100}
PLACES = ("/usr/local/cuda/lib64", "/usr/local/cuda/lib", "/usr/local/cuda/extras/CUPTI/lib64",
          "/usr/local/cuda-*/lib64", "/usr/local/cuda-*/extras/CUPTI/lib64",
          "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu")
PYTHONS = ("/usr/lib/python3*", "/usr/local/lib/python3*", "/opt/*/lib/python3*",
           "/opt/*/.venv/lib/python3*", "/opt/*/venv/lib/python3*", "~/.local/lib/python3*")


def candidates():
    """Folders that may hold CUDA's libraries, the toolkit's before Python's packages."""
    patterns = list(PLACES)
    home = os.environ.get("CUDA_HOME")
    if home:
        patterns[:0] = [f"{home}/lib64", f"{home}/lib", f"{home}/extras/CUPTI/lib64"]
    packages = [p for p in sys.path if p.endswith("-packages")]
    for python in PYTHONS:
        packages += [f"{os.path.expanduser(python)}/{name}-packages" for name in ("site", "dist")]
    patterns += [f"{p}/nvidia/*/lib" for p in packages]
    return [place for pattern in patterns for place in sorted(glob.glob(pattern))]


def library_path(folder):
    """(LD_LIBRARY_PATH, missing libraries): the first folder of each library."""
    places, missing = [str(pathlib.Path(folder, "lib").resolve())], []
    known = candidates()
    for library in LIBRARIES:
        place = next((p for p in known if os.path.exists(f"{p}/{library}")), None)
        if place is None:
            missing.append(library)
        elif place not in places:
            places.append(place)
    inherited = os.environ.get("LD_LIBRARY_PATH")
    return ":".join(places + ([inherited] if inherited else [])), missing


def gpu():
    """Name and attributes of the first GPU, by the driver; null where there is none."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    device, name, value = ctypes.c_int(), ctypes.create_string_buffer(128), ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0) or \
            driver.cuDeviceGetName(name, len(name), device):
        return None
    facts = {"name": name.value.decode(), "attributes": {}}
    for attribute, number in ATTRIBUTES.items():
        if not driver.cuDeviceGetAttribute(ctypes.byref(value), number, device):
            facts["attributes"][attribute] = value.value
    if not driver.cuDriverGetVersion(ctypes.byref(value)):
        facts["cuda_driver"] = f"{value.value // 1000}.{value.value % 1000 // 10}"
    return facts


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith(("model name", "Model")):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def facts(device, manifest):
    """The results' "machine"."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    found = {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "device": f"CPU device on {cpu_model()}", "cpu": cpu_model(),
        "threads": len(os.sched_getaffinity(0)), "memory_gib": round(pages / 2**30, 1),
        "load_before": round(os.getloadavg()[0], 2),
        "system": f"{platform.system()} {platform.release()}",
        "commit": manifest.get("commit"), "scale": manifest.get("scale"),
    }
    if device == "cuda":
        found["gpu"] = gpu()
        found["device"] = found["gpu"]["name"] if found["gpu"] else "none"
    else:
        found["ECHO_CPU_ATTR"] = os.environ.get("ECHO_CPU_ATTR")
    return found


def file_name(machine):
    """<date>-<device>-suite.json"""
    name = machine["device"] if "gpu" in machine else f"cpu {machine['cpu']}"
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return f"{machine['date'][:10]}-{slug}-suite.json"
