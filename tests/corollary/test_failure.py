"""Is everything that a guest can do wrong one exception, with the kind, the module and the calls?"""

import hashlib
import pickle

import pytest
from wasmtime import wat2wasm

from corollary import Fault, GuestFailure, invoke
from corollary.failure import OUTPUT, check_output
from tests.corollary.test_messages import given, leave, module

ASKING = module("(call $f (i32.const 5)) (i32.const 0)")
DEEP = "(func $outer (param i32) (result i32) (call $inner)) (func $inner (result i32) (unreachable))"


def broken(*_):
    """Fail, as a function of the host may."""
    raise RuntimeError("no luck")


def flooding(*_):
    """Read more of a guest than it may give away."""
    check_output(OUTPUT + 1)


GOOD = module("(i32.const 0)")
GUESTS = [
    (b"", {}, Fault.REFUSED, ""),
    (b"no module at all", {}, Fault.REFUSED, ""),
    (GOOD[:-1], {}, Fault.REFUSED, ""),
    (wat2wasm("(module)"), {}, Fault.UNLINKABLE, "handle_message"),
    (GOOD, {"imports": {}}, Fault.UNLINKABLE, ""),
    (module("(unreachable)"), {}, Fault.TRAPPED, "unreachable"),
    (module("(i32.div_u (i32.const 1) (i32.const 0))"), {}, Fault.TRAPPED, ""),
    (module("(i32.load (i32.const -1))"), {}, Fault.TRAPPED, ""),
    (ASKING, {"imports": given(broken)}, Fault.TRAPPED, "RuntimeError: no luck"),
    (ASKING, {"imports": given(flooding)}, Fault.OUTPUT, f"{OUTPUT + 1} bytes of output"),
    (ASKING, {"imports": given(leave)}, Fault.EXITED, "status 5"),
    (module("(loop (br 0)) (unreachable)"), {"fuel": 100_000}, Fault.SPENT, ""),
    (module("(loop (br 0)) (unreachable)"), {"seconds": 0.05}, Fault.LATE, ""),
    (module("(i32.const 0)", first="(func $g (loop (br 0))) (start $g)"), {"seconds": 0.05}, Fault.LATE, ""),
    (module("(i32.const 0)", "(i32.const -1)"), {}, Fault.OUTPUT, "returned -1"),
    (module("(i32.const 0)", "(i32.const 1001)"), {"room": 1000}, Fault.OUTPUT, "there is room for 1000 bytes"),
    (GOOD, {"message": bytes(3 << 20)}, Fault.NO_ROOM, ""),
]


@pytest.mark.parametrize("program, more, fault, words", GUESTS, ids=range(len(GUESTS)))
def test_whatever_a_guest_does_is_one_exception(program, more, fault, words):
    with pytest.raises(GuestFailure) as found:
        invoke(program, **{"message": b"x", "imports": given(), **more})
    failure = found.value
    assert (failure.fault, failure.digest) == (fault, hashlib.sha256(program).hexdigest())
    assert words in failure.message and f"{fault.name}: {failure.message}" in str(failure)
    assert failure.digest in str(failure)
    again = pickle.loads(pickle.dumps(failure))
    assert str(again) == str(failure) and again.fault is fault


def test_a_failure_tells_the_calls():
    with pytest.raises(GuestFailure) as found:
        invoke(module("(call $outer (i32.const 0))", first=DEEP), b"", given())
    assert [frame.name for frame in found.value.backtrace] == ["inner", "outer", "handle_message"]
    _, *lines = str(found.value).splitlines()
    assert [line.split()[-1] for line in lines] == ["inner", "outer", "handle_message", found.value.digest]


def test_what_does_not_fail_is_answered():
    assert invoke(module("(i32.const 7)", "(i32.const 3)"), b"", given()).status == 7


def test_mistakes_of_the_host_are_no_failures_of_a_guest():
    with pytest.raises(TypeError):
        invoke(GOOD, "text", given())
    with pytest.raises(ValueError):
        invoke(GOOD, b"", given(), room=OUTPUT + 1)
