"""Data sets: reading, downloading from small local archives, and what is said when something is missing."""

from __future__ import annotations

import gzip
import hashlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

import datasets as module
from datasets import DATA_SETS, DataSet, File, fetch, load, one_hot
from learners import LogisticOn, split
from support import invoke

ABALONE = (
    "M,0.455,0.365,0.095,0.514,0.2245,0.101,0.15,15\n"
    "F,0.53,0.42,0.135,0.677,0.2565,0.1415,0.21,9\n"
    "I,0.33,0.255,0.08,0.205,0.0895,0.0395,0.055,7\n"
)
ADULT = (
    "39, State-gov, 77516, Bachelors, 13, Never-married, Clerical, No, White, Male, 2174, 0, 40, "
    "United-States, <=50K\n"
    "50, ?, 83311, Bachelors, 13, Married, Managerial, Yes, White, Male, 0, 0, 13, United-States, >50K\n\n"
)
ADULT_TEST = (
    "|1x3 Cross validator\n"
    "25, Private, 226802, 11th, 7, Never-married, Managerial, Child, Black, Male, 0, 0, 40, Other, >50K.\n\n"
)
CHESS = "a,1,b,3,c,2,draw\na,1,c,1,c,2,zero\nb,2,c,1,d,4,sixteen\n"
CREDIT = "".join(
    f"   {'   '.join(str(i + j) for j in range(24))}   {kind} \n" for i, kind in enumerate((2, 1))
)
TELESCOPE = (
    "28.7967,16.0021,2.6449,0.3918,0.1982,27.7004,22.011,-8.2027,40.092,81.8828,g\n"
    "31.6036,11.7235,2.5185,0.5303,0.3773,26.2722,23.8238,-9.9574,6.3609,205.261,h\n"
)
COVERTYPE = "".join(
    f"{','.join(str(i + j) for j in range(54))},{kind}\n" for i, kind in enumerate((1, 2, 7, 2))
)
SMALL = {
    "abalone/abalone.data": ABALONE,
    "adult/adult.data": ADULT,
    "adult/adult.test": ADULT_TEST,
    "chess/king-rook-vs-king/krkopt.data": CHESS,
    "statlog/german/german.data-numeric": CREDIT,
    "magic/magic04.data": TELESCOPE,
    "covtype/covtype.data.gz": COVERTYPE,
}


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder laid out like the archive, with small files, whose digests are the expected ones."""
    folder = tmp_path / "archive"
    for path, text in SMALL.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        raw = text.encode()
        place.write_bytes(gzip.compress(raw) if path.endswith(".gz") else raw)
    small = {
        name: DataSet(
            tuple(
                File(f.name, f.path, hashlib.sha256(SMALL[f.path].encode()).hexdigest()) for f in data.files
            ),
            data.read,
        )
        for name, data in DATA_SETS.items()
    }
    monkeypatch.setattr(module, "DATA_SETS", small)
    return folder


@pytest.fixture
def server(archive: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(archive))) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_address[1]}"
        http.shutdown()
        thread.join()


@pytest.mark.parametrize("name", DATA_SETS)
def test_download_from_an_archive(name: str, archive: Path, tmp_path: Path) -> None:
    paths = fetch(name, tmp_path / "data", archive=archive.as_uri())
    assert [p.name for p in paths] == [f"{f.name}.gz" for f in module.DATA_SETS[name].files]
    for path, file in zip(paths, module.DATA_SETS[name].files, strict=True):
        assert gzip.decompress(path.read_bytes()).decode() == SMALL[file.path]
    tables = load(name, tmp_path / "data")
    assert all(len(t.x) == len(t.positive) and np.isfinite(t.x).all() for t in tables)


def test_download_over_http_once(server: str, archive: Path, tmp_path: Path) -> None:
    (path,) = fetch("covertype", tmp_path / "data", archive=server + "/")
    stamp = path.stat().st_mtime_ns
    (archive / "covtype/covtype.data.gz").unlink()
    assert fetch("covertype", tmp_path / "data", archive=server) == [path]
    assert path.stat().st_mtime_ns == stamp


def test_command_downloads_all(archive: Path, tmp_path: Path) -> None:
    done = invoke(module.main, ["all", "--data", str(tmp_path / "data"), "--archive", archive.as_uri()])
    assert done.exit_code == 0, done.output
    assert done.stderr.count("have ") == len(SMALL)
    assert invoke(module.main, ["ches", "--data", str(tmp_path)]).exit_code == 1


def test_a_file_that_is_not_there_says_how_to_go_on(server: str, archive: Path, tmp_path: Path) -> None:
    (archive / "abalone/abalone.data").unlink()
    with pytest.raises(
        OSError, match=r"cannot download .*abalone/abalone.data: .*404.* Download it by other means"
    ):
        fetch("abalone", tmp_path / "data", archive=server)


def test_another_file_is_refused_and_not_kept(archive: Path, tmp_path: Path) -> None:
    (archive / "magic/magic04.data").write_text(TELESCOPE + "1\n")
    with pytest.raises(ValueError, match="another file, or a damaged one"):
        fetch("telescope", tmp_path / "data", archive=archive.as_uri())
    assert list((tmp_path / "data").iterdir()) == []


def test_what_is_read(archive: Path, tmp_path: Path) -> None:
    tables = {}
    for name in DATA_SETS:
        fetch(name, tmp_path / "data", archive=archive.as_uri())
        tables[name] = load(name, tmp_path / "data")
    (abalone,) = tables["abalone"]
    # F is the base category of sex; rings are the target.
    np.testing.assert_array_equal(abalone.x[:, :3], [[0, 1, 0.455], [0, 0, 0.53], [1, 0, 0.33]])
    assert abalone.x.shape == (3, 2 + 7)
    assert abalone.positive.tolist() == [False, True, True]
    train, test = tables["adult"]
    assert train.positive.tolist() == [False, True]
    assert test.positive.tolist() == [True]
    # Two workclasses in training, one indicator; a class never seen there is the base.
    assert train.x.shape[1] == test.x.shape[1] == 6 + 1 + 0 + 1 + 1 + 1
    (chess,) = tables["chess"]
    assert chess.positive.tolist() == [False, True, True]
    assert chess.x.shape[1] == 1 + 1 + 1 + 1 + 1 + 1
    (credit,) = tables["credit"]
    assert credit.positive.tolist() == [False, True]
    assert credit.x.shape == (2, 24)
    (telescope,) = tables["telescope"]
    assert telescope.positive.tolist() == [True, False]
    (covertype,) = tables["covertype"]
    assert covertype.positive.tolist() == [False, True, True]
    assert covertype.x.shape == (3, 54)


def test_unpacked_files_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "magic04.data").write_text(TELESCOPE)
    assert load("telescope", tmp_path)[0].positive.tolist() == [True, False]


def test_one_hot_leaves_the_base_out() -> None:
    column = np.array(["b", "a", "c", "a"])
    np.testing.assert_array_equal(one_hot(column), [[1, 0], [0, 0], [0, 1], [0, 0]])
    np.testing.assert_array_equal(one_hot(np.array(["x"]), np.array(["a", "b"])), [[0]])


def test_missing_data_says_which_file_and_where_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        ValueError, match=r"holds covtype.data or covtype.data.gz .*https://archive.ics.uci.edu/"
    ):
        load("covertype", tmp_path)
    monkeypatch.delenv("CONFROC_DATA", raising=False)
    with pytest.raises(ValueError, match=r"`data` .*python lab/experiments/datasets.py abalone --data DIR"):
        load("abalone")
    monkeypatch.setenv("CONFROC_DATA", str(tmp_path))
    with pytest.raises(ValueError, match=r"abalone\.data"):
        LogisticOn("abalone").prepare(None)
    with pytest.raises(ValueError, match=r"`name` must be one of .*chess"):
        load("ches")


# --- the real files -------------------------------------------------------------------------------------

# Dugas & Gadoury 2009, Table 3; chess and telescope are shuffled there in a way that is not known.
TABLE_3 = {
    "abalone": (410, 590, 1686, 1491),
    "credit": (364, 136, 336, 164),
}


@pytest.mark.uci
@pytest.mark.parametrize("name", TABLE_3)
def test_class_counts_are_the_papers(name: str, uci_folder: Path) -> None:
    train, test = split(name, load(name, uci_folder))
    counts = [int(c) for t in (train, test) for c in (t.positive.sum(), (~t.positive).sum())]
    assert tuple(counts) == TABLE_3[name]


def test_the_papers_tables_and_sentences_add_up() -> None:
    """Dugas & Gadoury 2009, appendix C: Table 3 and the archive's counts against the text's."""
    spruce, lodgepole, every_cover = 211_840, 283_301, 581_012
    two = spruce + lodgepole
    assert two / every_cover > 0.8
    tested = 280_562 + 209_579
    assert two == 495_141 == tested + 5_000
    assert (lodgepole, spruce) == (2_739 + 280_562, 2_261 + 209_579)
    assert tested == 490_141  # the text has 405,141
    assert round(lodgepole / two, 3) == 0.572  # Macskassy & Provost 2004, section 5.1: "base error rate"
    # Telescope: 12,332 gamma, 6,688 hadron cases. A training column goes with the other class's test column.
    assert (328 + 6_360, 672 + 11_660) == (6_688, 12_332)
    assert (328 + 11_660, 672 + 6_360) != (12_332, 6_688)


@pytest.mark.uci
def test_digests_are_those_of_the_real_files(uci_folder: Path) -> None:
    for data in DATA_SETS.values():
        for file in data.files:
            if file.name == "covtype.data":
                continue
            content = gzip.decompress((uci_folder / f"{file.name}.gz").read_bytes())
            assert hashlib.sha256(content).hexdigest() == file.sha256


@pytest.mark.uci
def test_logistic_population_against_statistics_of_its_own(uci_folder: Path) -> None:
    """A model that ranks at random has area 0.5; the areas here were also found with a Newton solver."""
    population = LogisticOn("credit").prepare(uci_folder)
    assert (len(population.pos), len(population.neg)) == (336, 164)
    assert newton_auc(uci_folder) == pytest.approx(population.auc, abs=2e-4)


@pytest.mark.uci
def test_probabilities_are_those_of_the_log_odds(uci_folder: Path) -> None:
    odds, share = (LogisticOn("credit", scale).prepare(uci_folder) for scale in ("log_odds", "probability"))
    for of_odds, of_share in ((odds.pos, share.pos), (odds.neg, share.neg)):
        np.testing.assert_allclose(np.log(of_share / (1.0 - of_share)), of_odds, rtol=1e-9, atol=1e-9)
    assert share.auc == odds.auc


def newton_auc(folder: Path) -> float:
    """Unpenalised logistic regression by Newton's method, and the area by counting pairs."""
    train, test = split("credit", load("credit", folder))
    mean, sd = train.x.mean(axis=0), train.x.std(axis=0)
    design, fresh = (np.column_stack([np.ones(len(t.x)), (t.x - mean) / sd]) for t in (train, test))
    beta = np.zeros(design.shape[1])
    for _ in range(30):
        p = 1.0 / (1.0 + np.exp(-design @ beta))
        beta += np.linalg.solve(
            design.T @ (design * (p * (1.0 - p))[:, None]), design.T @ (train.positive - p)
        )
    score = fresh @ beta
    a, b = score[test.positive], score[~test.positive]
    return float(np.mean((a[:, None] > b) + 0.5 * (a[:, None] == b)))
