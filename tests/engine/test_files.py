"""Files are replaced whole, several of them all or none, and nothing is left behind by a failure."""

from __future__ import annotations

import os
import stat

import pytest

from utils.files import replace_file, replace_files


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_files_are_replaced_all_or_none(tmp_path, monkeypatch, failing):
    old, new = tmp_path / "old", tmp_path / "new"
    replace_file(old, b"old")

    def fail(*_):
        raise OSError("no space")

    with monkeypatch.context() as patched, pytest.raises(OSError, match="no space"):
        patched.setattr(os, failing, fail)
        replace_files({old: "changed", new: b"new"})
    assert [(path, path.read_bytes()) for path in tmp_path.iterdir()] == [(old, b"old")]
    replace_files({old: "changed\n", new: b"\xff"})
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == {old: b"changed\n", new: b"\xff"}


def test_a_text_without_bytes_leaves_the_old_file(tmp_path):
    replace_file(tmp_path / "file", "old")
    with pytest.raises(ValueError, match="surrogates"):
        replace_file(tmp_path / "file", "\ud800")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_a_private_file_is_its_owners_whatever_an_earlier_process_left_there(tmp_path):
    (tmp_path / f".key.{os.getpid()}.new").touch(0o666)
    replace_file(tmp_path / "key", "secret", private=True)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
