"""The extension module with the kernels; all else is in pyproject.toml."""

import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
#: One build serves every Python from 3.11 on, but for those without the GIL.
STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")


class BuildKernels(build_ext):
    """Puts the kernels into C, then compiles that; without a compiler there is no extension."""

    def build_extension(self, ext: Extension) -> None:
        """Build it. Raises OutsideSubset for a kernel that has no translation."""
        sys.path.insert(0, str(ROOT))
        from castlecp.native.build import write

        text = Path(self.build_temp) / "kernels.c"
        write(text)
        ext.sources = [str(text)]
        super().build_extension(ext)


setup(
    ext_modules=[
        Extension(
            "castlecp.native._kernels",
            [],
            include_dirs=[str(ROOT / "castlecp" / "native")],
            extra_compile_args=["-O3", "-fwrapv"],
            py_limited_api=STABLE,
            optional=True,
        )
    ],
    cmdclass={"build_ext": BuildKernels},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {},
)
