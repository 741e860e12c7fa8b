# Energy counters of the machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A meter answers total() in millijoules since some instant, or is not there at all: NVML's
counter of a GPU, or the INA3221 sensors of a Jetson, whose power is summed up over time."""

import ctypes
import pathlib
import threading
import time


class Nvml:
    """The energy counter of one GPU."""
    name = "NVML total energy counter"

    def __init__(self, index=0):
        self.library = ctypes.CDLL("libnvidia-ml.so.1")
        if self.library.nvmlInit_v2():
            raise OSError("NVML does not start")
        self.device = ctypes.c_void_p()
        if self.library.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(self.device)):
            raise OSError(f"NVML finds no GPU {index}")
        self.total()

    def total(self):
        value = ctypes.c_ulonglong()
        if self.library.nvmlDeviceGetTotalEnergyConsumption(self.device, ctypes.byref(value)):
            raise OSError("this GPU has no energy counter")
        return float(value.value)

    def driver(self):
        text = ctypes.create_string_buffer(96)
        if self.library.nvmlSystemGetDriverVersion(text, len(text)):
            return None
        return text.value.decode()

    def close(self):
        self.library.nvmlShutdown()


def channels(root="/sys"):
    """[(millivolt file, milliampere file)] of the INA3221 channels that measure a rail. The
    seventh is the sum of the others, and "NC" is connected to nothing."""
    found = []
    for label in sorted(pathlib.Path(root).glob("bus/i2c/drivers/ina3221/*/hwmon/hwmon*/in*_label")):
        number = label.name[2:-len("_label")]
        volt, ampere = label.with_name(f"in{number}_input"), label.with_name(f"curr{number}_input")
        if (label.read_text().strip() != "NC" and number != "7" and volt.exists() and
                ampere.exists()):
            found.append((volt, ampere))
    return found


class Ina3221:
    """Sums up the power of all rails, 50 times a second."""
    name = "INA3221, all rails"

    def __init__(self, root="/sys"):
        self.rails = channels(root)
        if not self.rails:
            raise OSError("no INA3221 sensors")
        self.energy, self.last = 0.0, time.monotonic()
        self.lock, self.done = threading.Lock(), threading.Event()
        threading.Thread(target=self.watch, daemon=True).start()

    def milliwatts(self):
        return sum(float(v.read_text()) * float(a.read_text()) / 1000 for v, a in self.rails)

    def total(self):
        with self.lock:
            now = time.monotonic()
            self.energy += self.milliwatts() * (now - self.last)
            self.last = now
            return self.energy

    def watch(self):
        while not self.done.wait(0.02):
            self.total()

    def close(self):
        self.done.set()


def meter():
    """(a meter, None) or (None, why there is none)."""
    reasons = []
    for kind in (Nvml, Ina3221):
        try:
            return kind(), None
        except (OSError, AttributeError) as error:
            reasons.append(str(error))
    return None, "no energy: " + "; ".join(reasons)
