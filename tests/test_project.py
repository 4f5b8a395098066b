"""The project itself: the kernel is built, the pins are whole, what is public is said to be."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import tilerummy
from tilerummy import _kernel

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tilerummy"
MODULES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))
PIN = re.compile(r"(?P<name>[a-z0-9.-]+)==[0-9][a-z0-9.]*")


def pinned() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    matches = [PIN.fullmatch(line) for line in lines if not line.startswith("#")]
    assert all(matches), "constraints.txt holds exact pins and nothing else"
    return [match["name"] for match in matches if match]


@pytest.mark.kernel
def test_kernel_is_of_this_version() -> None:
    assert _kernel.version() == tilerummy.__version__


def test_kernel_is_a_release_build() -> None:
    assert _kernel.build_profile() == "release"


def test_pins_have_no_address() -> None:
    assert pinned() == sorted(set(pinned()))
    assert "://" not in (ROOT / "constraints.txt").read_text()


def test_every_requirement_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = sum(project["optional-dependencies"].values(), project["dependencies"])
    names = {re.split(r"[^A-Za-z0-9.-]", requirement)[0] for requirement in requirements}
    assert names - {project["name"]} <= set(pinned())


def test_every_page_is_in_the_index() -> None:
    for index in (ROOT / "docs" / "index.md", ROOT / "README.md"):
        listed = index.read_text(encoding="utf-8")
        pages = [page.name for page in (ROOT / "docs").glob("*.md") if page.name != "index.md"]
        assert [page for page in pages if f"{page})" not in listed] == [], index.name


def public_names(tree: ast.Module, *, imported: bool) -> set[str]:
    """What a module defines without an underscore, or also what it takes from other modules of the project."""
    names: set[str] = set()
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names.update(target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.ImportFrom(module=module, level=level, names=aliases) if imported:
                if level or (module or "").split(".")[0] == "tilerummy":
                    names.update(alias.asname or alias.name for alias in aliases)
    return {name for name in names if not name.startswith("_")}


def declared_names(tree: ast.Module) -> set[str] | None:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                names = ast.literal_eval(value)
                return {name for name in names if not name.startswith("_")}
    return None


@pytest.mark.parametrize("module", MODULES)
def test_all_is_the_public_names(module: str) -> None:
    """What a module defines is declared; what it declares it defines, or passes on. Their order is the linter's."""
    tree = ast.parse((SOURCE / module).read_text())
    declared = declared_names(tree)
    if declared is not None:
        passed_on = public_names(tree, imported=True)
        assert public_names(tree, imported=False) <= declared <= passed_on
        if module.endswith("__init__.py"):
            assert declared == passed_on
