"""The machine that a kernel is printed for."""

from __future__ import annotations

from ops.core.records import dataclass


@dataclass(frozen=True)
class Target:
    """A machine.

    Attributes:
        triple: LLVM's name of the platform.
        cpu: LLVM's name of the processor, or an empty string.
        features: LLVM's list, such as ``"+avx2,+fma"``.
        vector_bytes: of a vector register: 64 with AVX-512, 32 with AVX2, 16 with SSE and NEON.
        masked_memory: whether there are loads and stores of some lanes of vectors of 4 and 8
            bytes; without, LLVM prints a branch for each lane.
        slow_gathers: whether gathers and scatters take longer than elements one by one. On AMD's
            Zen 4 programs that look up in tables took a sixth to a third longer by them.
        saturates: whether floats out of the range of an integer are converted to the nearest
            integer, and NaN to 0, as on aarch64. On x86 the result is the least integer.
        convention: LLVM's name of how functions of C are called, if it does not know by itself.
    """

    triple: str
    cpu: str = ""
    features: str = ""
    vector_bytes: int = 16
    masked_memory: bool = False
    slow_gathers: bool = False
    saturates: bool = False
    convention: str = ""

    @staticmethod
    def of(triple: str, cpu: str = "", features: str = "") -> Target:
        """The target with these features.

        Args:
            features: LLVM's list; those that decide about vectors are read from it.
        """
        has = {f[1:] for f in features.split(",") if f.startswith("+")}
        # With DQ, BW and VL every operation on vectors of 8 to 64 bits has a mask.
        wide = {"avx512f", "avx512dq", "avx512bw", "avx512vl"} <= has
        return Target(
            triple,
            cpu,
            features,
            vector_bytes=64 if wide else 32 if "avx2" in has else 16,
            masked_memory=wide or "avx2" in has,
            slow_gathers=cpu.startswith("znver"),
            saturates=triple.startswith(("aarch64", "arm64")),
            convention="arm_aapcs_vfpcc" if triple.endswith("eabihf") else "",
        )
