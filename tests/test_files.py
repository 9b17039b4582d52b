"""Files are written whole or not at all, and JSON holds what JSON has."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import numpy as np
import pytest

from confroc._files import CannotWriteError, finite, json_text, whole_file, write_text, write_texts


def test_a_new_file_and_a_replaced_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for text in ("ä\n", "second\n"):
        write_text(path, text)
        assert path.read_bytes() == text.encode()
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX permissions")
def test_permissions_are_the_users_or_the_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    before = os.umask(0o027)
    try:
        write_text(path, "new")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        write_text(path, "again")
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(before)


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "real.txt", tmp_path / "link.txt"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"
    assert [p.name for p in target.parent.iterdir()] == ["real.txt"]


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")

    def cut_short(error: BaseException) -> None:
        with whole_file(path) as beside:
            beside.write_text("half", encoding="utf-8")
            raise error

    for error, seen in (
        (ValueError("no"), ValueError),
        (KeyboardInterrupt(), KeyboardInterrupt),
        (OSError("disk full"), CannotWriteError),
    ):
        with pytest.raises(seen):
            cut_short(error)
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(CannotWriteError, match=r"a\.txt cannot be written \(No space left\)"):
        write_text(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_all_files_or_none(tmp_path: Path) -> None:
    page, numbers = tmp_path / "a.html", tmp_path / "a.json"
    page.write_text("old", encoding="utf-8")
    numbers.mkdir()
    with pytest.raises(CannotWriteError, match=r"a\.json cannot be written \(.* is not a file\)"):
        write_texts({page: "new", numbers: "new"})
    assert page.read_text(encoding="utf-8") == "old"
    numbers.rmdir()
    write_texts({page: "new", numbers: "{}"})
    assert (page.read_text(encoding="utf-8"), numbers.read_text(encoding="utf-8")) == ("new", "{}")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.html", "a.json"]
    with pytest.raises(CannotWriteError, match=r"none.* cannot be written .* make the folder first"):
        write_text(tmp_path / "none" / "a.txt", "new")


def test_odd_file_names_do_not_break_a_text(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "na\udcffme\n")
    assert (tmp_path / "a.txt").read_bytes() == b"na?me\n"


def no_bare_token(token: str) -> float:
    raise AssertionError(f"{token} is not JSON")


def test_numbers_that_json_lacks() -> None:
    value = {
        "plain": [1, 1.5, True, None, 'ä"\n'],
        "nan": float("nan"),
        "deep": {"er": (float("inf"), [-float("inf"), 2.0])},
        "array": np.array([[1.0, np.nan], [np.inf, 4.0]]),
        "counts": np.arange(3),
        "numpy": [np.float64("nan"), np.int64(7), np.bool_(True)],
        "empty": [{}, []],
    }
    expected = {
        "plain": [1, 1.5, True, None, 'ä"\n'],
        "nan": None,
        "deep": {"er": [None, [None, 2.0]]},
        "array": [[1.0, None], [None, 4.0]],
        "counts": [0, 1, 2],
        "numpy": [None, 7, True],
        "empty": [{}, []],
    }
    assert finite(value) == expected
    for indent in (None, 2):
        assert json.loads(json_text(value, indent=indent), parse_constant=no_bare_token) == expected
