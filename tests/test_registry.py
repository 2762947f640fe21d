"""What is found by name: its names, and one kind of error for a name that nothing has."""

from __future__ import annotations

import pytest
import samples
from samples import every_genre

import castlecp
from castlecp import codecs, engines, genres, methods
from castlecp.certify import rules
from castlecp.errors import FormatError, Lacking, Unknown
from castlecp.genres.castle import CastleWall
from castlecp.model import MODELS, Model
from castlecp.registry import Registry

REGISTRIES = [
    genres.REGISTRY,
    engines.REGISTRY,
    codecs.REGISTRY,
    methods.REGISTRY,
    rules.REGISTRY,
    MODELS,
]


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_unknown_names(registry: Registry[object]) -> None:
    """An unknown name is one kind of error, which lists what there is and a near miss."""
    assert registry.names() == tuple(sorted(registry))
    for name in registry:
        assert name in registry
        assert registry[name] is registry[name]
        with pytest.raises(Unknown, match=f"did you mean {name}\\?"):
            registry[f"{name}x"]
    with pytest.raises(FormatError, match=f"unknown {registry.kind} 'zqzq'; known: "):
        registry["zqzq"]
    with pytest.raises(Unknown) as caught:
        registry["zq" * 1000]
    assert len(str(caught.value)) < 200


@every_genre
def test_names_of_a_genre(genre: str) -> None:
    """Its id, its title and its other names, in any case and with any blanks."""
    module = genres.genre(genre)
    for name in (genre, module.PUZZLE.TITLE, *module.NAMES):
        for written in (name, name.upper(), name.title(), name.replace(" ", ""), f" {name}_"):
            assert genres.genre(written) is module
            assert genres.REGISTRY.name_of(written) == genre
    assert samples.kind_of(genre) is module.PUZZLE


def test_a_near_miss_of_another_name() -> None:
    """What is suggested is the id."""
    with pytest.raises(Unknown, match="did you mean slither"):
        genres.genre("slitherlnk")
    with pytest.raises(Unknown, match="did you mean castle"):
        genres.genre("castel wall")


def test_a_part_that_a_genre_lacks() -> None:
    """Is named, with the file it would be in."""

    class Heyawake(CastleWall, frozen=True, tag="heyawake"):
        TITLE = "Heyawake"

    wanted = "Heyawake has no model yet: engines need models/heyawake.py"
    with pytest.raises(Lacking, match=wanted):
        Model.of(Heyawake(3, 3))


@pytest.mark.parametrize("name", methods.names())
def test_every_method_from_python(name: str) -> None:
    """`castlecp.solve` takes what the command line takes."""
    puzzle = castlecp.read("castle/6/6/20.d222b20.m011c20.d212b20.a")
    assert castlecp.solve(puzzle, name).status is castlecp.Status.UNIQUE


def test_an_unknown_engine_from_python() -> None:
    """Is the same error."""
    with pytest.raises(Unknown, match=r"unknown engine .backtrak.*did you mean backtrack"):
        castlecp.solve(CastleWall(2, 2), "backtrak")
