"""Files are written whole or not at all, and JSON holds what JSON has."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from confroc._check import ArgumentError
from confroc._files import (
    TEMPORARY,
    CannotWriteError,
    check_output,
    finite,
    json_text,
    temporary_folder,
    whole_file,
    write_text,
    write_texts,
)
from support import no_bare_token


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


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_links_that_lead_nowhere_or_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "new.txt")
    write_text(tmp_path / "one", "new")
    assert (tmp_path / "new.txt").read_text(encoding="utf-8") == "new"
    assert (tmp_path / "one").is_symlink()
    assert (tmp_path / "two").is_symlink()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with pytest.raises(CannotWriteError, match=r"circle cannot be written .*is not a regular file"):
        write_text(tmp_path / "circle", "new")
    assert (tmp_path / "circle").is_symlink()


def test_a_read_only_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o444)
    with pytest.raises(CannotWriteError, match=r"a\.txt cannot be written \(it is read-only\)"):
        write_text(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    os.chown(path, 1234, 2345)
    write_text(path, "new")
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 2345, 0o640)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX locks")
def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / f"{TEMPORARY}dead.part.txt"
    left.write_text("half of a longer text", encoding="utf-8")
    write_text(tmp_path / "a.txt", "new")
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "new"


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with whole_file(path) as one:
        one.write_text("one", encoding="utf-8")
        with whole_file(path) as other:
            assert one != other
            other.write_text("other", encoding="utf-8")
        assert path.read_text(encoding="utf-8") == "other"
    assert path.read_text(encoding="utf-8") == "one"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.skipif(os.name == "nt", reason="needs names that Windows lacks")
def test_the_longest_name_there_is(tmp_path: Path) -> None:
    path = tmp_path / f"{'a' * 251}.txt"
    write_text(path, "new")
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX locks")
def test_folders_of_killed_processes_go_and_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dead, alien = tmp_path / f"{TEMPORARY}dead", tmp_path / "confroc-thesis"
    for folder in (dead, alien):
        folder.mkdir()
        (folder / "spilled").write_text("x", encoding="utf-8")
    with temporary_folder() as one, temporary_folder() as other:
        assert {p.name for p in tmp_path.iterdir()} == {one.name, other.name, alien.name}
    assert [p.name for p in tmp_path.iterdir()] == [alien.name]


def test_what_is_read_or_is_not_ours_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "page.html"

    def check(**options: Any) -> None:
        assert check_output("path", path, mark="<our mark>", **options) == path

    check()
    path.touch()
    check()
    path.write_text("somebody's " * 20_000, encoding="utf-8")
    with pytest.raises(ArgumentError, match="`path` must be a new file or one that confroc wrote before"):
        check()
    check(force=True)
    for text in ("<our mark>" + "x" * 200_000, "x" * 200_000 + "<our mark>"):
        path.write_text(text, encoding="utf-8")
        check()
    (tmp_path / "link.html").symlink_to(path)
    for name in ("page.html", "link.html", "../" + tmp_path.name + "/page.html"):
        with pytest.raises(ArgumentError, match="`path` must not be an input file"):
            check(inputs=[tmp_path / name], force=True)
    check(inputs=[tmp_path / "other.csv"])
    with pytest.raises(TypeError, match="`path` must be a path; got 3"):
        check_output("path", 3, mark="")  # type: ignore[arg-type]


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
    with pytest.raises(CannotWriteError, match=r"a\.json cannot be written \(.* is not a regular file\)"):
        write_texts({page: "new", numbers: "new"})
    assert page.read_text(encoding="utf-8") == "old"
    numbers.rmdir()
    write_texts({page: "new", numbers: "{}"})
    assert (page.read_text(encoding="utf-8"), numbers.read_text(encoding="utf-8")) == ("new", "{}")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.html", "a.json"]
    with pytest.raises(CannotWriteError, match=r"none.* cannot be written .* create the folder"):
        write_text(tmp_path / "none" / "a.txt", "new")


def test_odd_file_names_do_not_break_a_text(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "na\udcff\0me\n")
    assert (tmp_path / "a.txt").read_bytes() == b"na??me\n"


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
