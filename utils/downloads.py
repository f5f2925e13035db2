"""Larger data sets from the internet, each with a small stand-in of the same kind for when there is none.

Nothing is downloaded unless asked for. Files are kept where scikit-learn keeps its own, checked against their
published MD5 sums; only raw bytes and plain text are read (never pickles).
"""

import contextlib
import gzip
import hashlib
import http.client
import os
import re
import socket
import tarfile
import urllib.request
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from utils.checks import one_of, random_generator, whole_number
from utils.data import divide, load_table
from utils.reviews import reviews
from utils.types import Part

SECONDS_TO_ANSWER = 5  # then the place is as good as offline
N_WORDS = 10_000  # IMDB's vocabulary: the most frequent words of the training reviews
N_TOKENS = 200  # of each IMDB review, the last ones: the verdict tends to be at the end


@dataclass(frozen=True)
class DownloadSource:
    """Where a file is, and the MD5 sum its publisher states (None: the reader checks)."""

    url: str
    md5: str | None

    @property
    def name(self) -> str:
        """Return the file's name."""
        return self.url.rsplit("/", 1)[-1]


_MNIST = "https://ossci-datasets.s3.amazonaws.com/mnist/"
MNIST = (
    DownloadSource(_MNIST + "train-images-idx3-ubyte.gz", "f68b3c2dcbeaaa9fbdd348bbdeb94873"),
    DownloadSource(_MNIST + "train-labels-idx1-ubyte.gz", "d53e105ee54ea40749a09fcbcd1e9432"),
    DownloadSource(_MNIST + "t10k-images-idx3-ubyte.gz", "9fb629c4189551a2d022fa330f9573f3"),
    DownloadSource(_MNIST + "t10k-labels-idx1-ubyte.gz", "ec29112dd5afa0611ce80d1b7f02629c"),
)
CIFAR10 = DownloadSource("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz", "c32a1d4ab5d03f1284b67883e8d87530")
IMDB = DownloadSource(
    "https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz", "7c2ac02c03563afcf9b574c7e56c153a"
)


@dataclass(frozen=True)
class Download:
    """How to get a data set, how many megabytes that is, and what stands in for it."""

    load: Callable[[bool], list[Part]]  # download allowed? -> training part, held-out part (or one part only)
    megabytes: int
    stand_in: Callable[[torch.Generator], list[Part]]
    stand_in_is: str


def load_download(
    name: str, n_train: int, n_held_out: int, *, generator: torch.Generator, download: bool = False
) -> list[Part]:
    """Return two parts (X, y), training and held-out, of at most n_train and n_held_out rows drawn at random.

    "mnist": X float32 [n, 784], 10 classes, rows are 28×28 images; "cifar10": [n, 3072], 10 classes, rows are
    3×32×32 images; "imdb": X int64 [n, 200], words' numbers below N_WORDS (0 padding, 1 unknown), 2 classes;
    "california_housing": X float32 [n, 8], y float32 [n, 1]. The parts come from the publisher's own training
    and test files (housing has none). Floats are standardised by the training part's mean and standard
    deviation, for images over all pixels together.

    download=False uses the copy of an earlier download. Where there is none, or no connection, a UserWarning
    says what stands in for the data. Raises TypeError or ValueError that names the argument at fault.
    """
    choice = DOWNLOADS[one_of("name", name, DOWNLOADS)]
    sizes = whole_number("n_train", n_train), whole_number("n_held_out", n_held_out)
    random_generator("generator", generator)
    try:
        parts = choice.load(download)
    except (OSError, http.client.HTTPException) as error:
        reason = f"could not be loaded ({error})" if download else "has not been downloaded here"
        advice = "" if download else f" Set download=True to get it (about {choice.megabytes} MB)."
        warnings.warn(f"{name} {reason}, so {choice.stand_in_is} stand in for it.{advice}", UserWarning, stacklevel=2)
        parts = choice.stand_in(generator)
    if len(parts) == 1:
        parts = divide(*parts[0], (0.7, 0.3), generator=generator)
    return _standardised([_subset(part, n, generator) for part, n in zip(parts, sizes, strict=True)], name)


# --- getting files ----------------------------------------------------------------------------------------


def fetch(source: DownloadSource, download: bool, folder: Path | None = None) -> Path:
    """Return the path of a complete local copy; OSError when there is none and it cannot, or must not, be made."""
    path = (_data_folder() if folder is None else folder) / source.name
    if path.exists():
        return path
    if not download:
        raise FileNotFoundError(f"{path} does not exist")
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    checksum = hashlib.md5(usedforsecurity=False)
    with urllib.request.urlopen(source.url, timeout=SECONDS_TO_ANSWER) as answer, partial.open("wb") as file:
        total = int(answer.headers.get("Content-Length") or 0) or None
        with tqdm(total=total, unit="B", unit_scale=True, desc=source.name) as bar:
            while block := answer.read(2**18):
                file.write(block)
                checksum.update(block)
                bar.update(len(block))
    if source.md5 is not None and checksum.hexdigest() != source.md5:
        partial.unlink()
        raise OSError(f"{source.url} does not have the MD5 sum {source.md5}. It is incomplete or was changed.")
    return partial.replace(path)


def _data_folder() -> Path:
    return _data_home() / "what-depth-buys"


def _data_home() -> Path:
    """Return where scikit-learn keeps its downloads; its own `get_data_home` would make the folder."""
    return Path(os.environ.get("SCIKIT_LEARN_DATA", "~/scikit_learn_data")).expanduser()


@contextlib.contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """Limit how long any connection may stay silent, for code that takes no time-out of its own."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


# --- reading them -----------------------------------------------------------------------------------------


def _load_mnist(download: bool) -> list[Part]:
    arrays = [read_idx(fetch(source, download)) for source in MNIST]
    return [(_pixels(arrays[i]), torch.as_tensor(arrays[i + 1]).long()) for i in (0, 2)]


def read_idx(path: Path) -> np.ndarray:
    """Return the array in a gzipped IDX file: two zeros, a type (bytes), the number of axes, lengths, data."""
    with gzip.open(path) as file:
        content = file.read()
    n_axes = content[3]
    shape = np.frombuffer(content, ">u4", n_axes, offset=4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * n_axes).reshape(shape).copy()


def _load_cifar10(download: bool) -> list[Part]:
    return read_cifar10(fetch(CIFAR10, download))


def read_cifar10(path: Path) -> list[Part]:
    """Return training and test part of CIFAR-10's binary archive: records of one label byte and 3×32×32 pixels."""
    records: dict[str, list[np.ndarray]] = {"data": [], "test": []}
    with tarfile.open(path) as archive:
        members = {Path(member.name).name: member for member in archive.getmembers()}
        for name in sorted(name for name in members if name.endswith(".bin")):
            content = _content(archive, members[name])
            records[name.split("_")[0]].append(np.frombuffer(content, np.uint8).reshape(-1, 3073))
    tables = [np.concatenate(records[kind]) for kind in ("data", "test")]
    return [(_pixels(table[:, 1:]), torch.as_tensor(table[:, 0]).long()) for table in tables]


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    assert file is not None, f"{member.name} is no file"
    return file.read()


def _pixels(images: np.ndarray) -> Tensor:
    return torch.as_tensor(images).flatten(1).float() / 255


def _load_imdb(download: bool) -> list[Part]:
    return read_imdb(fetch(IMDB, download))


def read_imdb(path: Path) -> list[Part]:
    """Return training and test part of the archive of film reviews, as numbers of words."""
    texts: dict[str, list[tuple[list[str], int]]] = {"train": [], "test": []}
    with tarfile.open(path) as archive:
        for member in archive:
            found = re.fullmatch(r"aclImdb/(train|test)/(pos|neg)/[^/]+\.txt", member.name)
            if found:
                text = _content(archive, member).decode("utf-8")
                texts[found[1]].append((_words(text), int(found[2] == "pos")))
    counts = Counter(word for words, _ in texts["train"] for word in words)
    number_of = {word: i for i, (word, _) in enumerate(counts.most_common(N_WORDS - 2), start=2)}
    return [_numbered(texts[kind], number_of) for kind in ("train", "test")]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z']+|[.,!?]", text.lower().replace("<br />", " "))


def _numbered(texts: list[tuple[list[str], int]], number_of: dict[str, int]) -> Part:
    X = torch.zeros(len(texts), N_TOKENS, dtype=torch.long)
    for row, (words, _) in zip(X, texts, strict=True):
        numbers = [number_of.get(word, 1) for word in words[-N_TOKENS:]]
        row[N_TOKENS - len(numbers) :] = torch.tensor(numbers, dtype=torch.long)
    return X, torch.tensor([label for _, label in texts])


def _load_california(download: bool) -> list[Part]:
    from sklearn.datasets import fetch_california_housing

    if not (download or _data_home().exists()):
        raise FileNotFoundError(f"{_data_home()} does not exist")
    with _patience(SECONDS_TO_ANSWER), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it tries a second time
        X, y = fetch_california_housing(download_if_missing=download, n_retries=1, delay=0.1, return_X_y=True)
    return [(torch.as_tensor(X).float(), torch.as_tensor(y).float()[:, None])]


# --- standing in ------------------------------------------------------------------------------------------


def _digits_as_mnist(generator: torch.Generator) -> list[Part]:
    return [(_enlarged(X, 28).flatten(1), y) for X, y in load_table("digits", generator=generator)]


def _digits_as_cifar10(generator: torch.Generator) -> list[Part]:
    """Return digits in a random colour on another, so that colour alone tells nothing."""
    parts = []
    for X, y in load_table("digits", generator=generator):
        ink = (_enlarged(X, 32) - X.min()) / (X.max() - X.min())
        front, back = torch.rand(2, len(X), 3, 1, 1, generator=generator)
        parts.append(((ink * front + (1 - ink) * back).flatten(1), y))
    return parts


def _enlarged(X: Tensor, size: int) -> Tensor:
    images = X.reshape(-1, 1, 8, 8)
    return torch.nn.functional.interpolate(images, (size, size), mode="bilinear", align_corners=False)


def _grammar_as_imdb(generator: torch.Generator) -> list[Part]:
    parts = []
    for n in (4000, 2000):
        X, y = reviews(n, generator=generator)
        padding = torch.zeros(n, N_TOKENS - X.shape[1], dtype=torch.long)
        shifted = torch.where(X > 0, X + 1, X)  # 1 means an unknown word in IMDB
        parts.append((torch.cat([padding, shifted], dim=1), y))
    return parts


def _diabetes_as_california(generator: torch.Generator) -> list[Part]:
    return load_table("diabetes", generator=generator)


def _subset(part: Part, n: int, generator: torch.Generator) -> Part:
    X, y = part
    rows = torch.randperm(len(X), generator=generator)[:n]
    return X[rows], y[rows]


def _standardised(parts: list[Part], name: str) -> list[Part]:
    if name == "imdb":
        return parts
    X_train, y_train = parts[0]
    together = X_train.reshape(-1, 1) if name in ("mnist", "cifar10") else X_train
    mean, std = together.mean(0), together.std(0)
    if y_train.is_floating_point():
        parts = [(X, (y - y_train.mean()) / y_train.std()) for X, y in parts]
    return [((X - mean) / std, y) for X, y in parts]


DOWNLOADS = {
    "mnist": Download(_load_mnist, 12, _digits_as_mnist, "scikit-learn's 1,797 digits, enlarged to 28×28,"),
    "cifar10": Download(
        _load_cifar10, 170, _digits_as_cifar10, "scikit-learn's 1,797 digits, enlarged to 32×32 and coloured,"
    ),
    "imdb": Download(_load_imdb, 84, _grammar_as_imdb, "short reviews made by a grammar"),
    "california_housing": Download(
        _load_california, 1, _diabetes_as_california, "scikit-learn's 442 diabetes patients (10 inputs)"
    ),
}
