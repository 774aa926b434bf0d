"""Do the offsets and sizes on the pages fit real logs, snapshots and records?"""

import hashlib
import hmac
import re
import struct

import pytest
from wasmtime import wat2wasm

from corollary import Instance, Module, Suspended
from corollary.language.layout import encode
from corollary.record import witness_log
from corollary.report.ledger import ROOT
from corollary.spec.kernel.interface import INTERFACE
from corollary.spec.kernel.state import BootInformation, WitnessRecord
from corollary.spec.kernel.vocabulary import Action
from corollary.spec.wasm.machine import PAGE, Outcome
from docs import formats, hooks, values  # pyright: ignore[reportAttributeAccessIssue] - not `tests/docs`
from tests.record.logs import chain_after
from tests.record.test_audit import sealed_run

KEY = bytes(range(32))
MODULE = wat2wasm("""(module (memory 2) (table 3 funcref) (global (mut i64) (i64.const 77))
  (func (export "spin") (loop (br 0))) (data (i32.const 5) "here"))""")


def tables(page):
    """Return every table of offsets on a page, each as `field -> (offset, size)`; of equal names the first counts."""
    text = hooks.filled((ROOT / "docs" / page).read_text())
    found = []
    for table in re.findall(r"^\| offset \| size \|.*\n\|.*\n((?:\|.*\n)+)", text, re.MULTILINE):
        rows = [[part.strip(" `") for part in line.split("|")[1:4]] for line in table.splitlines()]
        found.append({name: (int(offset), int(size)) for offset, size, name in reversed(rows)})
    return found


def part(data, place):
    """Return the bytes at a place."""
    offset, size = place
    return data[offset : offset + size]


def number(data, place):
    """Return the number at a place."""
    return int.from_bytes(part(data, place), "little")


@pytest.fixture(scope="module")
def log():
    return dict(zip(("header", "information", "record", "seal", "end"), tables("log.md"), strict=True))


@pytest.fixture(scope="module")
def sealed():
    return sealed_run()


def test_the_header_of_a_log_is_as_told(log, sealed):
    run, _, _ = sealed
    data, header = run.log[: witness_log.HEADER_SIZE], log["header"]
    assert part(data, header["mark"]) == witness_log.HEADER_MARK
    assert number(data, header["version"]) == witness_log.VERSION
    assert part(data, header["digest"]) == hashlib.sha256(data[: header["digest"][0]]).digest()
    information, fields = part(data, header["information"]), log["information"]
    assert number(information, fields["key"]) == 0
    for name in ("now", "measurement"):
        booted = number(encode(run.information, BootInformation), fields[name])
        assert number(information, fields[name]) == booted != 0


def test_a_record_and_its_chain_are_as_told(log, sealed):
    run, _, _ = sealed
    for sequence, data in enumerate(run.records[:20]):
        assert number(data, log["record"]["sequence"]) == sequence
        chain = chain_after(run.records[: sequence + 1])
        offset, size = log["record"]["link"]
        assert data[offset : offset + size] == chain[:size] and offset == witness_log.LINKED
    assert number(run.records[0], log["record"]["kind"]) == Action.BOOT_ATTESTATION
    assert set(log["record"]) == set(WitnessRecord.fields)


def test_a_sealed_checkpoint_is_as_told(log, sealed):
    run, checkpoint, sequence = sealed
    data, fields = witness_log.seal(checkpoint), log["seal"]
    assert part(data, fields["mark"]) == witness_log.SEAL_MARK and number(data, fields["zero"]) == 0
    assert number(data, fields["interface"]) == INTERFACE
    assert number(data, fields["sequence"]) == sequence
    assert part(data, fields["chain"]) == chain_after(run.records[:sequence])
    assert part(data, fields["head"]) == witness_log.hash_of(run.records[:sequence])
    message = data[fields["sequence"][0] : fields["tag"][0]]
    assert part(data, fields["tag"]) == hmac.digest(witness_log.key_bytes(run.information), message, "sha256")


def test_the_end_of_a_log_is_as_told(log, sealed):
    run, _, _ = sealed
    data, fields = run.log[-witness_log.UNIT :], log["end"]
    assert part(data, fields["mark"]) == witness_log.END_MARK and number(data, fields["zero"]) == 0
    assert number(data, fields["sequence"]) == len(run.records) and part(data, fields["head"]) == run.head


def test_a_snapshot_is_as_told():
    (fields,) = tables("snapshot.md")
    module = Module(MODULE)
    instance = Instance(module)
    assert instance.call("spin", fuel=10) == Suspended()
    data = instance.snapshot(KEY)
    told = {name: number(data, place) for name, place in fields.items()}
    assert part(data, fields["magic"]) == b"corollary\0" and part(data, fields["module"]) == module.digest
    assert told["format"] == formats.snapshot.FORMAT and told["outcome"] == Outcome.SUSPENDED
    assert (told["globals"], told["tables"], told["pages"], told["callee"]) == (1, 1, 2, 0)
    assert (told["depth"], told["frame"]) == (instance.machine.depth, instance.machine.frame)
    rest = data[sum(fields["pages"]) :]
    stacks = 4 * told["depth"] + 8 * told["live"]
    cells = struct.calcsize("<Q4Ix")  # a global, the size of a table and its elements, a data segment
    assert struct.unpack_from("<Q4Ix", rest, stacks) == (77, 3, 0, 0, 0)
    assert rest[stacks + cells :][5:9] == b"here"
    assert len(rest) == stacks + cells + told["pages"] * PAGE + formats.snapshot.SEAL
    assert rest[-formats.snapshot.SEAL :] == hmac.digest(KEY, data[: -formats.snapshot.SEAL], "sha256")


def test_fields_of_a_struct_are_told_apart():
    assert formats.fields("<10sH2I") == ["10s", "H", "I", "I"]
    found = formats.parts(struct.Struct("<10sH"), ("name", "what"), ("count", "how many"))
    assert [(each.size, each.name) for each in found] == [(10, "name"), (2, "count")]
    with pytest.raises(ValueError, match="shorter"):
        formats.parts(struct.Struct("<10sH"), ("name", "what"))


def test_a_cell_stays_in_its_row_and_a_wrong_name_is_refused():
    assert values.table(("a", "b"), [("x | y", "two\nlines")]).splitlines()[2] == r"| x \| y | two lines |"
    with pytest.raises(LookupError, match="corollary.spec.kernel.limits.NOTHING"):
        values.the("corollary.spec.kernel.limits.NOTHING")
