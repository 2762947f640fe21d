"""models/ is castlecp.models wherever castlecp runs, and scripts/ set up what they need."""

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
DEPENDENCIES = [
    *PROJECT["project"]["dependencies"],
    *PROJECT["project"]["optional-dependencies"]["dev"],
    *PROJECT["project"]["optional-dependencies"]["plots"],
    *PROJECT["project"]["optional-dependencies"]["service"],
    *PROJECT["project"]["optional-dependencies"]["client"],
    *PROJECT["build-system"]["requires"],
]
#: Run with the folder of an unpacked wheel, which stands in for site-packages.
IMPORT_ALL = """
import sys
sys.path.insert(0, sys.argv[1])
import castlecp, castlecp.models, importlib.util, pkgutil
print(castlecp.models.__file__)
for module in pkgutil.iter_modules(castlecp.models.__path__, "castlecp.models."):
    importlib.import_module(module.name)
assert importlib.util.find_spec("models") is None
"""


def folders_with_code(top: Path) -> set[Path]:
    """The folders under `top` that hold Python files."""
    return {path.parent for path in top.rglob("*.py")}


def name_of(folder: Path) -> str:
    """A folder's package, as pyproject.toml should list it."""
    parts = folder.relative_to(ROOT).parts
    return ".".join(("castlecp", *parts) if parts[0] == "models" else parts)


def copy_of_the_code(to: Path) -> Path:
    """What a build needs, in a place where its leftovers do no harm."""
    skip = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for folder in ("castlecp", "models"):
        shutil.copytree(ROOT / folder, to / folder, ignore=skip)
    for file in ROOT.iterdir():
        if file.suffix in (".toml", ".md") or file.name in ("LICENSE", "setup.py"):
            shutil.copy(file, to)
    return to


def build(kind: str, source: Path, to: Path) -> Path:
    """Build a "wheel" or "sdist" of `source` with the setuptools that is installed."""
    code = f"from setuptools import build_meta as b; b.build_{kind}(r'{to}')"
    subprocess.run([sys.executable, "-c", code], cwd=source, check=True, capture_output=True)
    return next(to.glob("*.whl" if kind == "wheel" else "*.tar.gz"))


def model_file(_: int) -> str:
    """Where castlecp.models is, seen from another process."""
    return str(import_module("castlecp.models").__file__)


def test_every_folder_with_code_is_listed_once() -> None:
    folders = folders_with_code(ROOT / "castlecp") | folders_with_code(ROOT / "models")
    listed = PROJECT["tool"]["setuptools"]["packages"]
    assert listed == sorted({name_of(folder) for folder in folders})
    assert all((folder / "__init__.py").is_file() for folder in folders)


def test_models_of_a_checkout_are_found_here_and_in_a_spawned_process() -> None:
    expected = str(ROOT / "models" / "__init__.py")
    assert model_file(0) == expected
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(model_file, [0]) == [expected]


@pytest.mark.parametrize("through_sdist", [False, True], ids=["wheel", "sdist"])
def test_a_wheel_holds_castlecp_alone(tmp_path: Path, through_sdist: bool) -> None:
    pytest.importorskip("setuptools")
    for name in ("source", "sdist", "wheel", "site"):
        (tmp_path / name).mkdir()
    source = copy_of_the_code(tmp_path / "source")
    if through_sdist:
        archive = build("sdist", source, tmp_path / "sdist")
        shutil.unpack_archive(archive, tmp_path / "sdist", filter="data")
        source = next(path for path in (tmp_path / "sdist").iterdir() if path.is_dir())
    wheel = zipfile.ZipFile(build("wheel", source, tmp_path / "wheel"))
    site = tmp_path / "site"
    with wheel:
        wheel.extractall(site)
    version = PROJECT["project"].get("version") or import_module("castlecp").__version__
    assert {path.name for path in site.iterdir()} == {"castlecp", f"castlecp-{version}.dist-info"}

    def code(top: Path) -> set[Path]:
        return {path.relative_to(top) for path in top.rglob("*.py")}

    in_models = {Path("models", path) for path in code(ROOT / "models")}
    assert code(site / "castlecp") == code(ROOT / "castlecp") | in_models
    done = subprocess.run(
        [sys.executable, "-P", "-c", IMPORT_ALL, str(site)],
        cwd=tmp_path,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()) == site / "castlecp" / "models" / "__init__.py"


def test_constraints_pin_every_dependency_and_nothing_but_versions() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [match[1] for line in lines if (match := re.fullmatch(r"([a-z0-9-]+)==[\w.]+", line))]
    assert len(pins) == len(lines)
    assert pins == sorted(set(pins))
    assert {re.split(r"[^\w-]", text)[0] for text in DEPENDENCIES} <= set(pins)


def test_every_curve_is_drawn_and_shown() -> None:
    names = re.findall(r'^    "(\w+)": \w+,$', (ROOT / "scripts" / "plots.py").read_text(), re.M)
    assert len(names) == 4
    for name in names:
        assert (ROOT / "results" / f"{name}.svg").exists()
        for text in (ROOT / "results" / f"{name}.md", ROOT / "scripts" / f"table_{name}"):
            assert f"]({name}.svg)" in text.read_text()


# scripts/, with a stand-in for uv that notes what it is asked and makes a castlecp that echoes.

UV = """
#!/usr/bin/env bash
case "$1" in
--version) ;;
venv) mkdir -p "${@: -1}/bin" && ln -s "$(type -P true)" "${@: -1}/bin/python" ;;
pip)
    echo "${@: -1}" >>"$NOTES"
    sleep 0.3
    [[ -z ${FAIL-} ]] || exit 1
    printf '#!/usr/bin/env bash\\npwd\\necho "$@"\\n' >.venv/bin/castlecp
    chmod +x .venv/bin/castlecp
    ;;
esac
"""


class Checkout:
    """A checkout with only scripts/, in a folder whose name has a space."""

    def __init__(self, tmp_path: Path) -> None:
        self.root = tmp_path / "a checkout"
        self.notes = tmp_path / "notes"
        self.notes.touch()
        self.root.mkdir()
        shutil.copytree(ROOT / "scripts", self.root / "scripts")
        for name in ("pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, self.root)
        uv = tmp_path / "bin" / "uv"
        uv.parent.mkdir()
        uv.write_text(textwrap.dedent(UV).lstrip())
        uv.chmod(0o755)
        self.env = {**os.environ, "PATH": f"{uv.parent}:{os.environ['PATH']}"}
        self.env["NOTES"] = str(self.notes)

    def start(self, command: str = "solve", **env: str) -> "subprocess.Popen[str]":
        """scripts/run COMMAND x, from the folder above."""
        return subprocess.Popen(
            [self.root / "scripts" / "run", command, "x"],
            cwd=self.root.parent,
            env={**self.env, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, command: str = "solve", **env: str) -> tuple[int, str, str]:
        """Exit code, output and messages of scripts/run."""
        process = self.start(command, **env)
        out, err = process.communicate()
        return process.returncode, out, err

    @property
    def installs(self) -> int:
        """How often something was installed."""
        return len(self.notes.read_text().splitlines())


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    if shutil.which("flock") is None:
        pytest.skip("scripts/ take no lock without flock")
    return Checkout(tmp_path)


def test_run_sets_up_once_and_stays_in_the_users_folder(checkout: Checkout) -> None:
    answer = f"{checkout.root.parent}\nsolve x\n"
    assert checkout.run() == (0, answer, "castlecp: setting up .venv (once) ...\n")
    assert checkout.run() == (0, answer, "")
    assert checkout.installs == 1


def test_a_service_is_installed_when_it_is_first_wanted(checkout: Checkout) -> None:
    checkout.run()
    answer = f"{checkout.root.parent}\nserve x\n"
    assert checkout.run("serve") == (0, answer, "castlecp: setting up .venv (once) ...\n")
    assert checkout.run("serve") == (0, answer, "")
    assert checkout.run()[2] == ""
    assert checkout.notes.read_text() == ".\n.[service]\n"


def test_run_installs_again_when_the_project_changes(checkout: Checkout) -> None:
    checkout.run()
    with (checkout.root / "constraints.txt").open("a") as file:
        file.write("zope==1.0\n")
    assert checkout.run()[0] == 0
    assert checkout.installs == 2


def test_two_first_runs_at_once_install_once(checkout: Checkout) -> None:
    both = [checkout.start(), checkout.start()]
    outputs = [process.communicate()[0] for process in both]
    assert outputs[0] == outputs[1] != ""
    assert checkout.installs == 1


def test_a_failed_set_up_is_begun_anew(checkout: Checkout) -> None:
    assert checkout.run(FAIL="1")[0] != 0
    leftover = checkout.root / ".venv" / "half"
    leftover.touch()
    assert checkout.run()[0] == 0
    assert not leftover.exists()
    assert checkout.run()[2] == ""


def test_a_moved_checkout_gets_a_new_environment(checkout: Checkout) -> None:
    checkout.run()
    (checkout.root / ".venv" / "old").touch()
    checkout.root = checkout.root.rename(checkout.root.parent / "moved")
    assert checkout.run()[0] == 0
    assert not (checkout.root / ".venv" / "old").exists()
    assert checkout.installs == 2
