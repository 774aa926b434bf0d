"""Does a program that is interrupted anywhere and resumed elsewhere do the same as an uninterrupted one?

Is every other snapshot refused?
"""

import random
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from wasmtime import wat2wasm

from corollary import (
    Global,
    HostCall,
    Instance,
    Limits,
    Memory,
    Module,
    Reason,
    Returned,
    SnapshotRefused,
    Suspended,
    Table,
    Trapped,
    Unlinkable,
    snapshot,
)
from corollary.codegen.released import machine_identity
from corollary.library import CONTENT, Room, library
from corollary.snapshot import HEADER, SEAL
from corollary.spec.wasm.snapshot import Fault
from corollary.spec.wasm.values import ValueType
from tests.wasm.forged import COUNT, Parts, stops
from tests.wasm.restored import said, to_the_end
from tests.wasm.suspended import BINARIES, KEY, MODULES, ROUNDS, ask

NAMES = sorted(MODULES)
KEPT = Path(__file__).with_name("kept")  # suspended in 10!, in the middle of a call
OTHER = bytes(32)
NUMBERS = ("outcome", "at", "frame", "depth", "callee")  # of an instance: where it is


def fresh(name):
    """Return an instance of a program."""
    return Instance(MODULES[name], host_calls=True)


def restored(name, data, key=KEY, **more):
    """Return an instance from a snapshot."""
    return Instance.restore(MODULES[name], data, key, **{"host_calls": True} | more)


@cache
def whole(name):
    """Return the outcome of an uninterrupted program, and its state afterwards."""
    instance = fresh(name)
    return to_the_end(instance, instance.call("run", ROUNDS[name])), instance.snapshot(KEY)


def interrupted(name, fuels):
    """Yield the snapshot at each suspension and host call of a program, then the final one.

    Each snapshot is made by the instance that was restored from the one before.
    """
    instance = fresh(name)
    outcome = instance.call("run", ROUNDS[name], fuel=next(fuels))
    while not isinstance(outcome, Returned):
        data = instance.snapshot(KEY)
        yield outcome, data
        instance = restored(name, data)
        assert instance.waiting == outcome and instance.snapshot(KEY) == data
        results = [ask(*outcome.arguments)] if isinstance(outcome, HostCall) else []
        outcome = instance.resume(*results, fuel=next(fuels))
    yield outcome, instance.snapshot(KEY)


def always(fuel):
    """Return the same fuel each time."""
    while True:
        yield fuel


def sometimes(seed):
    """Return any fuel each time."""
    chosen = random.Random(seed)
    while True:
        yield chosen.randrange(20)


@pytest.mark.parametrize("fuel", range(1, 8))
@pytest.mark.parametrize("name", NAMES)
def test_a_program_that_is_suspended_and_moved_ends_as_if_it_were_not(name, fuel):
    *suspensions, end = interrupted(name, always(fuel))
    assert suspensions and end == whole(name)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"host calls"}))
def test_with_so_much_fuel_so_many_safe_points_pass(name):
    points = len(stops(name)) + 1
    for fuel in range(2, 8):
        assert len(list(interrupted(name, always(fuel)))) - 1 == (points - 1) // fuel


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_a_program_may_be_suspended_anywhere(name, seed):
    *_, end = interrupted(name, (fuel or 1 for fuel in sometimes(f"{seed} {name}")))
    assert end == whole(name)


@pytest.mark.parametrize("name", NAMES)
def test_another_process_goes_on_with_a_snapshot(name, tmp_path):
    module, snapshot = tmp_path / "module", tmp_path / "snapshot"
    module.write_bytes(BINARIES[name])
    snapshot.write_bytes(stops(name)[len(stops(name)) // 2])
    done = subprocess.run(
        [sys.executable, "-m", "tests.wasm.restored", module, snapshot], capture_output=True, text=True
    )
    assert done.stdout.strip() == said(*whole(name)), done.stderr


def test_an_instance_from_an_idle_snapshot_can_be_called():
    assert restored("recursion", fresh("recursion").snapshot(KEY)).call("run", 8) == whole("recursion")[0]


def test_a_snapshot_needs_no_more_fuel_than_is_given():
    instance = restored("loops", stops("loops")[3])
    assert instance.resume(fuel=0) == Suspended() and instance.snapshot(KEY) == stops("loops")[3]


# ---- refused snapshots


def refused(name, data, key=KEY, **more):
    """Return why a snapshot is refused."""
    with pytest.raises(SnapshotRefused) as refusal:
        restored(name, data, key, **more)
    return refusal.value.reason


def test_every_bit_of_the_header_counts():
    data = stops("recursion")[5]
    reasons = {refused("recursion", flipped(data, bit)) for bit in range(8 * HEADER.size)}
    assert reasons == {Reason.KIND, Reason.FORMAT, Reason.MACHINE, Reason.KEY, Reason.DAMAGED}


def test_a_snapshot_of_another_machine_is_refused_by_name_and_nothing_is_lost(monkeypatch):
    data = stops("recursion")[5]
    made, this = machine_identity().hex()[:16], bytes(32).hex()[:16]
    with monkeypatch.context() as patch:
        patch.setattr(snapshot, "machine_identity", lambda: bytes(32))
        with pytest.raises(SnapshotRefused) as refusal:
            restored("recursion", data)
    said = str(refusal.value)
    assert refusal.value.reason is Reason.MACHINE
    assert f"made by another version of the machine: by machine {made}" in said and f"this is machine {this};" in said
    assert said.endswith("it stays as it is: go on with it on the one that made it, or begin anew")
    instance = restored("recursion", data)
    assert to_the_end(instance, instance.resume()) == whole("recursion")[0]


def test_a_snapshot_that_was_kept_means_the_same_or_is_refused_by_name():
    """The identity must be another one as soon as an old snapshot would end otherwise."""
    module, data = Module((KEPT / "factorial.wasm").read_bytes()), (KEPT / "factorial.snapshot").read_bytes()
    try:
        assert Instance.restore(module, data, KEY).resume() == Returned((3628800,))
    except SnapshotRefused as refusal:
        assert refusal.reason is Reason.MACHINE and f"by machine {data[12:20].hex()}" in str(refusal)


@pytest.mark.parametrize("name", NAMES)
def test_a_bit_that_was_changed_is_noticed(name):
    data = stops(name)[-1]
    chosen = random.Random(name)
    for _ in range(50):
        assert refused(name, flipped(data, chosen.randrange(8 * HEADER.size, 8 * len(data)))) is Reason.DAMAGED


@pytest.mark.parametrize("cut", [0, 1, HEADER.size, HEADER.size + SEAL, -1])
def test_what_is_cut_off_is_noticed(cut):
    assert refused("loops", stops("loops")[0][:cut]) in (Reason.KIND, Reason.DAMAGED)


def test_the_key_counts():
    assert refused("loops", stops("loops")[0], OTHER) is Reason.KEY


@pytest.mark.parametrize(
    "use", [lambda key: fresh("loops").snapshot(key), lambda key: restored("loops", stops("loops")[0], key)]
)
def test_a_short_key_is_no_key(use):
    with pytest.raises(ValueError, match="token_bytes"):
        use(bytes(31))


def test_the_module_counts():
    assert refused("loops", stops("recursion")[0]) is Reason.MODULE


def test_a_host_call_that_became_an_import_is_told():
    assert refused("host calls", waiting(HostCall), imports={("env", "ask"): ask}) is Reason.CONTENT


def waiting(kind, which=0):
    """Return a snapshot of the program with host calls that waits for one, or is suspended.

    It is the first such snapshot, or one of those that follow.
    """
    return [data for outcome, data in interrupted("host calls", always(1)) if isinstance(outcome, kind)][which]


def flipped(data, bit):
    """Return the same except one bit."""
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


@pytest.mark.parametrize(
    "fields,imports",
    [
        ('(import "m" "memory" (memory 1))', {("m", "memory"): Memory(1)}),
        ('(import "m" "t" (table 1 funcref))', {("m", "t"): Table(ValueType.FUNCREF, 1)}),
        ('(import "m" "g" (global (mut i32)))', {("m", "g"): Global(ValueType.I32, True, 5)}),
    ],
)
def test_an_instance_with_state_of_others_has_no_snapshot(fields, imports):
    assert no_snapshot(Instance(wat2wasm(f"(module {fields})"), imports)) is Reason.SHARED


@pytest.mark.parametrize("kind,type_", [("memory", "1"), ("table", "1 funcref"), ("global", "(mut i32)")])
def test_a_snapshot_changes_nothing_that_others_have(kind, type_, monkeypatch):
    """This also holds for a snapshot forged with the right key: it runs as if the instance were alone."""
    value = "(i32.const 5)" if kind == "global" else ""
    owner = Instance(wat2wasm(f'(module ({kind} (export "it") {type_} {value}))'))
    module = wat2wasm(f'(module (import "m" "it" ({kind} {type_})) (func))')
    user = Instance(module, {("m", "it"): owner.export("it")})
    with monkeypatch.context() as patched:
        patched.setattr("corollary.snapshot.check_unshared", lambda instance: None)
        forged = user.snapshot(KEY)
    for data in (forged, b""):
        with pytest.raises(SnapshotRefused) as refusal:
            Instance.restore(module, data, KEY, {("m", "it"): owner.export("it")})
        assert refusal.value.reason is Reason.SHARED


@pytest.mark.parametrize("kind,type_", [("memory", "1"), ("table", "1 funcref"), ("global", "(mut i32)")])
def test_an_instance_whose_state_others_have_has_no_snapshot(kind, type_):
    owner = Instance(wat2wasm(f'(module ({kind} (export "it") {type_} {"(i32.const 0)" if kind == "global" else ""}))'))
    owner.snapshot(KEY)
    other = Instance(wat2wasm(f'(module (import "m" "it" ({kind} {type_})))'), {("m", "it"): owner.export("it")})
    assert no_snapshot(owner) is no_snapshot(other) is Reason.SHARED


OBJECTS = """(import "env" "take" (func $take (param externref))) (table $t 1 externref)
  (global $g (mut externref) (ref.null extern))
  (table $f 1 funcref) (func (export "keep") (param externref) (table.set $t (i32.const 0) (local.get 0)))
  (func (export "hold") (param externref) (global.set $g (local.get 0)))
  (func (export "give") (param externref) (call $take (local.get 0)))
  (func (export "point") (param funcref) (table.set $f (i32.const 0) (local.get 0)))
  (func (export "wait") (param externref) (call $nothing) (call $take (local.get 0))) (func $nothing)"""


@pytest.mark.parametrize("name", ["keep", "hold", "give", "point"])
def test_an_instance_that_refers_to_what_is_outside_has_no_snapshot(name):
    instance = Instance(wat2wasm(f"(module {OBJECTS})"), host_calls=True)
    instance.call(name, fresh("recursion").export("run") if name == "point" else object())
    assert no_snapshot(instance) is Reason.SHARED


def test_a_reference_on_the_stack_does_not_outlive_a_snapshot():
    module, taken = wat2wasm(f"(module {OBJECTS})"), []
    instance = Instance(module, {("env", "take"): taken.append})
    instance.call("wait", object(), fuel=0)
    moved = Instance.restore(module, instance.snapshot(KEY), KEY, {("env", "take"): taken.append})
    with pytest.raises(Trapped, match="from before its snapshot"):
        moved.resume()
    thing = object()
    moved.call("give", thing)
    assert taken == [thing]


@pytest.mark.parametrize(
    "kind,type_,value", [("table", "1 funcref", ""), ("global", "(mut funcref)", "(ref.null func)")]
)
def test_references_from_a_snapshot_are_not_shared(kind, type_, value):
    module = wat2wasm(f'(module ({kind} (export "it") {type_} {value}))')
    instance = Instance(module)
    moved, other = (
        Instance.restore(module, instance.snapshot(KEY), KEY),
        wat2wasm(f'(module (import "m" "it" ({kind} {type_})))'),
    )
    Instance(other, {("m", "it"): instance.export("it")})
    with pytest.raises(Unlinkable, match="incompatible import"):
        Instance(other, {("m", "it"): moved.export("it")})


def test_a_reference_in_a_global_goes_along():
    module = wat2wasm("""(module (global $g (mut funcref) (ref.null func)) (table 1 funcref)
      (func $seven (result i32) (i32.const 7)) (elem declare func $seven)
      (func (export "hold") (global.set $g (ref.func $seven)))
      (func (export "call") (result i32)
        (table.set (i32.const 0) (global.get $g)) (call_indirect (result i32) (i32.const 0))))""")
    instance = Instance(module)
    instance.call("hold")
    data = instance.snapshot(KEY)
    moved = Instance.restore(module, data, KEY)
    assert moved.machine.base != instance.machine.base and moved.snapshot(KEY) == data and moved.call("call").value == 7


def test_within_a_function_of_the_host_there_is_no_snapshot():
    reasons = []
    instance = Instance(
        MODULES["host calls"], {("env", "ask"): lambda *_: reasons.append(no_snapshot(instance)) or 0}, host_calls=True
    )
    instance.call("run", 1)
    assert set(reasons) == {Reason.RUNNING}


def no_snapshot(instance):
    """Return why there is no snapshot."""
    with pytest.raises(SnapshotRefused) as refusal:
        instance.snapshot(KEY)
    return refusal.value.reason


def test_an_imported_global_that_is_constant_must_be_the_same():
    module = wat2wasm('(module (import "m" "g" (global i32)))')
    data = Instance(module, {("m", "g"): Global(ValueType.I32, False, 5)}).snapshot(KEY)
    Instance.restore(module, data, KEY, {("m", "g"): Global(ValueType.I32, False, 5)})
    with pytest.raises(SnapshotRefused, match=Fault.notes["GLOBAL"]):
        Instance.restore(module, data, KEY, {("m", "g"): Global(ValueType.I32, False, 6)})


# ---- snapshots forged with the right key


FORGERIES = {
    "inside an operation": ("recursion", Fault.PLACE, lambda parts: parts.put(at=parts.at + 1)),
    "where a call returns, but it does not wait for it": (
        "recursion",
        Fault.PLACE,
        lambda parts: parts.put(at=parts.control[-1]),
    ),
    "behind the code": ("recursion", Fault.PLACE, lambda parts: parts.put(at=1 << 20)),
    "a call that returns to a safe point": (
        "recursion",
        Fault.RETURN,
        lambda parts: parts.control.__setitem__(-1, parts.at),
    ),
    "a call that returns out of the code": (
        "recursion",
        Fault.RETURN,
        lambda parts: parts.control.__setitem__(-1, 0xFFFF_FFFF),
    ),
    "a call that returns to the exit": ("recursion", Fault.RETURN, lambda parts: parts.control.__setitem__(-1, 1)),
    "no exit": ("recursion", Fault.RETURN, lambda parts: parts.control.__setitem__(0, parts.control[-1])),
    "a frame above": ("recursion", Fault.FRAMES, lambda parts: parts.put(frame=parts.frame + 1)),
    "a frame below": ("recursion", Fault.FRAMES, lambda parts: parts.put(frame=0)),
    "a frame far above": ("recursion", Fault.STACK, lambda parts: parts.put(frame=0xFFFF_FFFF)),
    "no calls": ("recursion", Fault.FRAMES, lambda parts: parts.control.clear()),
    "a call more": ("recursion", Fault.FRAMES, lambda parts: parts.control.append(parts.control[-1])),
    "too many calls": ("recursion", Fault.STACK, lambda parts: parts.control.extend([parts.control[-1]] * (1 << 18))),
    "idle, but with calls": ("recursion", Fault.FRAMES, lambda parts: parts.put(outcome=0)),
    "trapped": ("recursion", Fault.LAYOUT, lambda parts: parts.put(outcome=3)),
    "suspended where it waits for the host": ("host calls", Fault.PLACE, lambda parts: parts.put(outcome=1)),
    "it waits for another function": ("host calls", Fault.HOST_CALL, lambda parts: parts.put(callee=1)),
    "it waits for another function than a table has": (
        "indirect host calls",
        Fault.HOST_CALL,
        lambda parts: parts.put(callee=1),
    ),
    "it waits for a function of its own": ("indirect host calls", Fault.HOST_CALL, lambda parts: parts.put(callee=2)),
    "it waits for a function that there is not": (
        "indirect host calls",
        Fault.HOST_CALL,
        lambda parts: parts.put(callee=9),
    ),
    "it waits where no host call was": (
        "recursion",
        Fault.HOST_CALL,
        lambda parts: parts.put(outcome=2, at=parts.control[-1]),
    ),
    "less memory": ("memory", Fault.LAYOUT, lambda parts: parts.put(pages=0)),
    "more memory": ("memory", Fault.LAYOUT, lambda parts: parts.put(pages=4)),
    "too much memory": ("memory", Fault.MEMORY, lambda parts: parts.put(pages=5)),
    "another number of globals": ("globals", Fault.LAYOUT, lambda parts: parts.put(globals=1)),
    "another value of a global that never changes": ("globals", Fault.GLOBAL, lambda parts: parts.cells(1, 24, 32)),
    "a reference in a global to no function": ("globals", Fault.REFERENCE, lambda parts: parts.cells(0xFF, 32, 40)),
    "a reference in a table to no function": ("tables", Fault.REFERENCE, lambda parts: parts.cells(0x7F, 4, 8)),
    "a reference in a table to an object": ("tables", Fault.REFERENCE, lambda parts: parts.cells(1, -17, -16)),
    "a table that is too large": ("tables", Fault.TABLE, lambda parts: parts.cells(0xFF, 0, 4)),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_content_that_is_no_state_is_refused(what):
    name, fault, forge = FORGERIES[what]
    found = {"host calls": waiting(HostCall), "indirect host calls": waiting(HostCall, 1)}
    parts = Parts(found[name] if name in found else stops(name)[len(stops(name)) // 2])
    name = name.removeprefix("indirect ")
    assert restored(name, parts.sealed()).waiting is not None
    forge(parts)
    with pytest.raises(SnapshotRefused) as refusal:
        restored(name, parts.sealed())
    assert refusal.value.reason is Reason.CONTENT and Fault.notes[fault.name] in str(refusal.value)


@pytest.mark.parametrize("what", ["trapped", "another number of globals", "too many calls"])
def test_numbers_that_do_not_fit_change_nothing(what):
    name, fault, forge = FORGERIES[what]
    parts, target, content = Parts(stops(name)[len(stops(name)) // 2]), fresh(name), Room(CONTENT)
    forge(parts)
    content.lend("bytes", parts.sealed()[:-SEAL])
    content.value.at = snapshot.OPENING.size
    before = [getattr(target.machine, number) for number in NUMBERS]
    found = library().content_restore(target.room.address, target.module.translation.address, content.address)
    assert found == fault and [getattr(target.machine, number) for number in NUMBERS] == before


def test_every_fault_is_found():
    forged = {fault for _, fault, _ in FORGERIES.values()}
    assert forged | {Fault.GLOBAL} == set(Fault) - {Fault.NONE}  # that one depends on imports: see above


def test_a_snapshot_must_fit_the_stack_that_there_is():
    data = max(stops("recursion"), key=len)
    parts = Parts(data)
    enough = parts.live
    assert restored("recursion", data, limits=Limits(slots=enough)).resume(fuel=0) == Suspended()
    assert refused("recursion", data, limits=Limits(slots=enough - 1)) is Reason.CONTENT


@pytest.mark.parametrize("name", ["stack", "control"])
@pytest.mark.parametrize("side", ["before", "behind"])
def test_beside_the_room_of_an_instance_nobody_may_touch_anything(name, side):
    outside = (
        f"room.value.{name}.at - 4096" if side == "before" else f"room.value.{name}.at + ctypes.sizeof(room['{name}'])"
    )
    program = "import ctypes\nfrom tests.wasm.test_snapshot import fresh\nroom = fresh('loops').room\n"
    for address, killed in ((f"room.value.{name}.at", False), (outside, True)):
        done = subprocess.run([sys.executable, "-c", f"{program}ctypes.string_at({address}, 1)"], capture_output=True)
        assert (done.returncode == -signal.SIGSEGV) == killed and (killed or done.returncode == 0), done.stderr


def test_a_snapshot_must_fit_the_stack_also_where_calls_return_to():
    wide = f"{'(i32.const 1) (call $same) ' * 50}{'(i32.add) ' * 49}(drop)"
    module = wat2wasm(
        "(module (func $nothing (drop (call $same (i32.const 1)))) "
        "(func $same (param i32) (result i32) (local.get 0)) "
        f'(func (export "run") (call $nothing) {wide}))'
    )
    instance = Instance(module)
    assert instance.call("run", fuel=1) == Suspended()
    data = instance.snapshot(KEY)
    narrow = Parts(data).live
    Instance.restore(module, data, KEY)
    with pytest.raises(SnapshotRefused, match=Fault.notes["STACK"]):
        Instance.restore(module, data, KEY, limits=Limits(slots=narrow))


def counted(*arguments):
    """Return how snapshots ended in a process of their own, by outcome."""
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {line.split(": ")[0]: int(line.split(": ")[1]) for line in done.stdout.splitlines()}


@pytest.mark.parametrize("build", [(), ("tests.wasm.sanitized",)], ids=["shipped", "sanitized"])
def test_forged_states_never_leave_the_instance(build):
    counts = counted(*build, "tests.wasm.forged")
    assert sum(counts.values()) == COUNT
    assert all(counts[outcome] > COUNT // 50 for outcome in ("Returned", "Suspended", "Trapped", "SnapshotRefused")), (
        counts
    )


def test_a_snapshot_with_a_wrong_bit_is_refused():
    assert counted("tests.wasm.forged", "--flip") == {"SnapshotRefused": COUNT}


def test_the_sanitized_build_notices_an_access_outside():
    done = subprocess.run(
        [sys.executable, "-m", "tests.wasm.sanitized", "tests.wasm.astray"], capture_output=True, text=True
    )
    assert done.returncode != 0 and "is located 0 bytes after 32-byte region" in done.stderr, done.stderr


def test_what_is_written_into_the_buffer_after_the_seal_was_checked_is_not_read(monkeypatch):
    data, usual = bytearray(whole(NAMES[0])[1]), snapshot.opened

    def opened(*arguments):
        fields = usual(*arguments)
        data[HEADER.size :] = bytes(len(data) - HEADER.size)
        return fields

    monkeypatch.setattr(snapshot, "opened", opened)
    assert restored(NAMES[0], data).snapshot(KEY) == whole(NAMES[0])[1] != bytes(data)
