# SPDX-License-Identifier: MIT
"""The store that all workers of a campaign share: a folder, or a bucket of S3.

An observation is one object, with the key of its case. It is written once: if two workers observe
the same case, the second one writes nothing. Its content does not depend on the worker, and has a
checksum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from typing import Any

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError
from obstore.store import LocalStore, S3Store

from ticklab.errors import TicklabError, UsageError
from ticklab.storage import sealed

SCHEMA = 1
_OBSERVATIONS, _DAMAGED, _RESULTS = "observations", "damaged", "results"
_SIDE_BY_SIDE = 16  # objects that are read at the same time, because a bucket answers slowly


class SharedStore:
    def __init__(self, place: str) -> None:
        self.place = place
        try:
            self._store = _opened(place)
        except (BaseError, OSError, ValueError) as error:
            raise self._failed("open", error) from error

    # --- Observations -----------------------------------------------------------------------------

    def add(self, key: str, content: Mapping[str, Any]) -> bool:
        """Adds an observation. Returns False, and writes nothing, if there is already one with this
        key."""
        text = sealed.text_alone({"schema": SCHEMA, **content}, indent=None)
        return self._put(_path(key), text.encode())

    def has(self, key: str) -> bool:
        try:
            return bool(obstore.head(self._store, _path(key))["size"])
        except (FileNotFoundError, NotFoundError):
            return False
        except (BaseError, OSError) as error:
            raise self._failed("read", error) from error

    def finished(self) -> set[str]:
        """Returns the keys of all observations, except empty objects, which were not written
        completely."""
        found = self._listed(_OBSERVATIONS)
        return {path.rpartition("/")[2].removesuffix(".json") for path, size in found if size}

    def observations(self, keys: Iterable[str]) -> Iterator[tuple[str, dict[str, Any] | None]]:
        """Yields each key with its observation, in order. If an object is damaged, moves it, so
        that the case is observed again, and yields None."""
        rest = iter(keys)
        with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
            while part := list(islice(rest, 8 * _SIDE_BY_SIDE)):
                yield from zip(part, pool.map(self._observation, part), strict=True)

    def _observation(self, key: str) -> dict[str, Any] | None:
        path = _path(key)
        try:
            found = sealed.parse_alone(f"{self.place}/{path}", self._get(path), (SCHEMA,), "")
        except sealed.DamagedError:
            self._set_aside(key)
            return None
        return found

    def drop_unfinished(self) -> int:
        """Removes empty objects, which remain if a machine loses power while it writes."""
        empty = [path for path, size in self._listed(_OBSERVATIONS) if not size]
        try:
            obstore.delete(self._store, empty)
        except (BaseError, OSError) as error:
            raise self._failed("remove from", error) from error
        return len(empty)

    def _set_aside(self, key: str) -> None:
        try:
            with suppress(FileNotFoundError, NotFoundError):  # another reader was first
                obstore.rename(self._store, _path(key), f"{_DAMAGED}/{key}.json")
        except (BaseError, OSError) as error:
            raise self._failed("move an object of", error) from error

    # --- Results ----------------------------------------------------------------------------------

    def results(self) -> set[str]:
        """Returns the names of the parts into which the results are divided."""
        return {path.rpartition("/")[2] for path, size in self._listed(_RESULTS) if size}

    def add_results(self, name: str, data: bytes) -> None:
        self._put(f"{_RESULTS}/{name}", data)

    def read_results(self, name: str) -> bytes:
        return self._get(f"{_RESULTS}/{name}")

    # --- Objects ----------------------------------------------------------------------------------

    def _put(self, path: str, data: bytes) -> bool:
        try:
            obstore.put(self._store, path, data, mode="create")
        except AlreadyExistsError:
            return False
        except (BaseError, OSError) as error:
            raise self._failed("write to", error) from error
        return True

    def _get(self, path: str) -> bytes:
        try:
            return bytes(obstore.get(self._store, path).bytes())
        except (BaseError, OSError) as error:
            raise self._failed("read", error) from error

    def _listed(self, folder: str) -> Iterator[tuple[str, int]]:
        try:
            for part in obstore.list(self._store, folder):
                yield from ((each["path"], each["size"]) for each in part)
        except (BaseError, OSError) as error:
            raise self._failed("list", error) from error

    def _failed(self, what: str, error: Exception) -> TicklabError:
        why = str(error).splitlines()[0]
        return TicklabError(
            f"cannot {what} the store {self.place}: {why}",
            "check its address, its permissions and its free space",
        )


def _opened(place: str) -> LocalStore | S3Store:
    if place.startswith("s3://"):
        return S3Store.from_url(place)
    if "://" in place:
        raise UsageError(f"there is no store '{place}'", "name a folder, or s3://BUCKET/PREFIX")
    return LocalStore(place, mkdir=True)


def _path(key: str) -> str:
    """Returns the name of an observation's object. Objects are in 256 folders, so that no folder is
    large."""
    return f"{_OBSERVATIONS}/{key[:2]}/{key}.json"
