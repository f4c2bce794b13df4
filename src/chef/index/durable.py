"""What makes a collection in a folder last: its files reach the disk, have checksums, and can be repaired.

Lance never changes a file. A version of a table is a manifest, which names data files and lists of deleted
rows. Lance does not flush what it writes, so `Ledger.record` does, and notes the checksums; only then is a
write acknowledged. Notes are in the format of `sha256sum`, in `COLLECTION/checksums`.
"""

import hashlib
import re
import secrets
import struct
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chef.files import sync, write_atomic

TABLE, NOTES = "recipes", "checksums"  # folders in that of a collection
_MAGIC = b"LANC"  # ends every manifest
_NOTE = re.compile(r"([0-9a-f]{64})  (\S+)")
_NEWEST_FIRST = 1 << 63  # names of manifests above this count down
_ALWAYS, _RECENT = 2, 600.0  # versions that are kept, and for how many seconds more are
_DAY = 86_400.0  # seconds after which a version that was replaced goes, whatever the number


@dataclass(frozen=True)
class Version:
    """What one manifest says."""

    manifest: str  # its path below the table, as of all files here
    files: dict[str, int]  # what it needs, and the sizes; 0: not stated
    transaction: str  # how it was made; needed by nobody later
    fragments: list[tuple[int, int]]  # numbers, and how many rows each was written with


class Ledger:
    """The files of a table in a folder, and the notes on their checksums.

    >>> Ledger(Path("my-collection")).damaged()
    set()
    """

    def __init__(self, root: Path) -> None:
        self._root, self._table, self._notes = root, root / f"{TABLE}.lance", root / NOTES
        self._known: dict[str, str] = {}  # what this process has noted or read
        self._folders: set[Path] = set()  # that it has flushed

    def manifests(self) -> list[str]:
        """Of all versions, the latest first."""
        names = (f"_versions/{path.name}" for path in self._table.glob("_versions/*.manifest"))
        return sorted(names, key=version_number, reverse=True)

    def latest(self) -> int:
        """The number of the latest version that ever was, as far as is known."""
        noted = (name for name in self.checksums() if name.startswith("_versions/"))
        return max(map(version_number, [*noted, *self.manifests()]), default=0)

    def versions(self) -> Iterator[tuple[str, Version | None]]:
        """The manifests, the latest first, each with its version; None: torn."""
        return ((name, read_manifest(self._table, name)) for name in self.manifests())

    def checksums(self) -> dict[str, str]:
        """What is noted: paths and their sha256."""
        noted: dict[str, str] = {}
        for file in self._notes.glob("*.sha256"):
            try:
                lines = file.read_text("utf-8", "replace").splitlines()
            except FileNotFoundError:  # another process has put the notes in order
                continue
            noted.update((note[2], note[1]) for line in lines if (note := _NOTE.fullmatch(line)))
        return noted

    def record(self) -> None:
        """Flush every new version to disk and note its checksums; from then on it survives a power cut."""
        new, folders = dict[str, str](), set[Path]()
        known = self._known = self._known or self.checksums()
        for manifest in self.manifests():
            if manifest in known or (version := read_manifest(self._table, manifest)) is None:
                continue
            for name in {*version.files, version.transaction, manifest} - known.keys() - new.keys():
                path = self._table / name
                with suppress(FileNotFoundError):  # another process tidies up
                    if name != version.transaction:
                        sync(path)
                        folders.add(path.parent)
                    new[name] = _sha256(path)
        if not new:
            return
        if not folders <= self._folders:  # their own names
            folders |= {self._table, self._root}
            with suppress(PermissionError):  # it need not be ours
                sync(self._root.parent)
        for folder in folders:
            sync(folder)
        self._folders |= folders
        self._note(new)
        self._known = known | new

    def _note(self, checksums: dict[str, str]) -> None:
        lines = "".join(f"{checksum}  {name}\n" for name, checksum in sorted(checksums.items()))
        write_atomic(self._notes / f"{secrets.token_hex(8)}.sha256", lines.encode())
        sync(self._notes)
        if self._notes not in self._folders:
            sync(self._root)
            self._folders.add(self._notes)

    def prune(self, keep: int) -> None:
        """Remove versions beyond `keep` or past their time, and the files that no other version needs."""
        manifests = self.manifests()
        # When each was replaced: as its successor was written.
        ages = [0.0, *(_age(self._table / name) for name in manifests[:-1])]
        held = min(self._held(), default=version_number(manifests[0]))
        old = [
            name
            for place, (name, age) in enumerate(zip(manifests, ages, strict=True))
            if place >= keep or age > _DAY or (place >= _ALWAYS and age > _RECENT)
            if version_number(name) < held
        ]
        if not old:
            return
        for name in reversed(old):  # the oldest first: a kill leaves no gap
            (self._table / name).unlink(missing_ok=True)
        sync(self._table / "_versions")  # before the files that they need
        needed = set[str]()
        for name, version in self.versions():
            if version is None:
                return  # torn: who knows what it needs
            needed |= {name, *version.files, version.transaction}
        # Only what was noted is known to be nobody's: other files may belong to a write that is under way.
        for name in self.checksums().keys() - needed:
            (self._table / name).unlink(missing_ok=True)
        self._tidy_notes()

    def _held(self) -> Iterator[int]:
        """The versions that others read."""
        for file in self._notes.glob("hold-*"):
            _, version, until, _ = file.name.split("-")
            if int(until) > time.time():
                yield int(version)
            else:
                file.unlink(missing_ok=True)  # of a process that was killed

    @contextmanager
    def hold(self, seconds: int) -> Iterator[None]:
        """Keep the versions from the latest on, for so many seconds at most."""
        version, until = max(map(version_number, self.manifests()), default=0), int(time.time()) + seconds
        file = self._notes / f"hold-{version}-{until}-{secrets.token_hex(8)}"
        with suppress(OSError):  # nobody writes to a folder that cannot be written to
            self._notes.mkdir(exist_ok=True)
            file.touch()
        try:
            yield
        finally:
            file.unlink(missing_ok=True)

    def _tidy_notes(self) -> None:
        """Forget files that are gone; all notes in one file."""
        parts = list(self._notes.glob("*.sha256"))
        self._known = {name: one for name, one in self.checksums().items() if (self._table / name).is_file()}
        self._note(self._known)
        for part in parts:
            part.unlink(missing_ok=True)

    def drop_torn(self) -> None:
        """After a power cut: remove the latest versions if they are torn and were never acknowledged."""
        if not (noted := self.checksums()):
            return  # made by an older version of chef, which took no notes
        for name, version in self.versions():
            if name in noted or (version and not any(self._is_torn(*one) for one in version.files.items())):
                return
            (self._table / name).unlink(missing_ok=True)

    def _is_torn(self, name: str, size: int) -> bool:
        path = self._table / name
        return not path.is_file() or not (actual := path.stat().st_size) or (size > 0 and actual != size)

    def oldest_removal(self) -> float:
        """Seconds since the first rows were removed that the data files still hold; 0: there are none."""
        return max(map(_age, self._table.glob("_deletions/*")), default=0.0)

    def damaged(self) -> set[str]:
        """The files of all versions that are missing, torn, or differ from their checksums."""
        noted, lost, sizes = self.checksums(), self.damaged_manifests(), dict[str, int]()
        for name, version in self.versions():
            if version is not None and name not in lost:  # else what it says is not to be believed
                sizes |= {**version.files, name: 0}
                if (self._table / version.transaction).is_file():
                    sizes[version.transaction] = 0
        differ = (n for n, size in sizes.items() if self._is_torn(n, size) or self._differs(n, noted.get(n)))
        return lost | set(differ)

    def damaged_manifests(self) -> set[str]:
        """The manifests among them."""
        noted, latest = self.checksums(), max(map(version_number, self.manifests()), default=0)
        lost = {name for name in noted if name.startswith("_versions/") and version_number(name) > latest}
        torn = (n for n, version in self.versions() if version is None or self._differs(n, noted.get(n)))
        return lost | set(torn)

    def _differs(self, name: str, checksum: str | None) -> bool:
        return checksum is not None and _sha256(self._table / name) != checksum

    def unnoted(self) -> int:
        """How many files have no checksum, because an older version of chef has written them."""
        noted = self.checksums()
        return len({one for _, version in self.versions() if version for one in version.files} - noted.keys())

    def whole(self, damaged: Collection[str]) -> list[str]:
        """The manifests of the versions of which nothing is damaged, the latest first."""
        return [
            name
            for name, version in self.versions()
            if version and name not in damaged and not version.files.keys() & damaged
        ]

    def time(self, manifest: str) -> str:
        """When a version was written."""
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime((self._table / manifest).stat().st_mtime))

    def remove(self, damaged: Collection[str]) -> None:
        """Remove damaged files and the manifests of all versions that need one."""
        whole = self.whole(damaged)
        for name in {*damaged, *self.manifests()} - {*whole}:
            (self._table / name).unlink(missing_ok=True)
        self._tidy_notes()


def read_manifest(table: Path, name: str) -> Version | None:
    """The version of a manifest; None if it is torn or gone."""
    try:
        data = (table / name).read_bytes()
        (start,) = struct.unpack("<Q", data[-16:-8])
        (size,) = struct.unpack("<I", data[start : start + 4])
        if data[-4:] != _MAGIC:
            return None
        manifest = _message(data[start + 4 : start + 4 + size])
        files, fragments = dict[str, int](), []
        for fragment in map(_message, manifest.get(2, ())):
            number = fragment.get(1, [0])[0]
            fragments.append((number, fragment[4][0]))
            for file in map(_message, fragment[2]):
                files[f"data/{file[1][0].decode()}"] = file.get(6, [0])[0]
            for deletion in map(_message, fragment.get(3, ())):
                kind, read, own = (deletion.get(field, [0])[0] for field in (1, 2, 3))
                files[f"_deletions/{number}-{read}-{own}.{'bin' if kind else 'arrow'}"] = 0
        return Version(name, files, f"_transactions/{manifest[12][0].decode()}", fragments)
    except (OSError, struct.error, LookupError, UnicodeError, TypeError, AttributeError):
        return None


def with_removed_rows(files: Iterable[str]) -> set[int]:
    """The fragments whose lists of removed rows are among the files."""
    return {int(Path(name).name.split("-")[0]) for name in files if name.startswith("_deletions/")}


def _message(data: bytes) -> dict[int, list[Any]]:
    """The fields of a message of Protocol Buffers, the format of manifests: numbers and bytes."""
    fields: dict[int, list[Any]] = {}
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    while at < len(data):
        tag = number()
        if tag & 7 == 0:
            fields.setdefault(tag >> 3, []).append(number())
            continue
        size = number() if tag & 7 == 2 else {1: 8, 5: 4}[tag & 7]
        fields.setdefault(tag >> 3, []).append(data[at : at + size])
        at += size
    return fields


def version_number(manifest: str) -> int:
    """The version of a manifest, from its name."""
    number = int(Path(manifest).stem)
    return number if number < _NEWEST_FIRST else (1 << 64) - 1 - number


def _age(path: Path) -> float:
    """Seconds since a file was written; 0 where another process has removed it."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _sha256(path: Path) -> str:
    with open(path, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
