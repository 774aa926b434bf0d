"""What must be trusted? Every function that is not proved, every hardware model, every tool: one row each."""

import importlib.metadata
import platform
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from corollary.codegen import build
from corollary.codegen.folders import ROOT
from corollary.codegen.kernel import functions
from corollary.codegen.libraries import LIBRARIES
from corollary.emulation.installed import QEMU
from corollary.emulation.package import RUNS_AGENTS
from corollary.language.frontend import translate
from corollary.model import components
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.gate import dispatch
from corollary.model.kernel.promises import CONDITIONS, EFFECTS
from corollary.proofs.machine import alignment, called, floats, handlers, instructions
from corollary.proofs.machine import components as compiled
from corollary.proofs.machine.component import FILL
from corollary.proofs.machine.contracts import CONTRACTS
from corollary.proofs.machine.system import covered
from corollary.proofs.transition import transitions
from corollary.spec.kernel import platform as constants
from corollary.spec.kernel.hardware import stage2_walk
from corollary.spec.kernel.observation import DISCLOSURES, INTERFERENCES, PRIVATE, RELEASED, SEALED
from corollary.spec.kernel.regime import stage1_walk

OPAQUE = {
    "sha256_compress": ("the prover knows only that equal blocks give equal digests", "tests/model/test_sha256.py")
}
"""Why each opaque function is opaque, and what checks it instead."""
LOOKS = next(value for _, group in constants.CONSTANTS for name, value, _ in group if name == "UART_LOOKS")


@dataclass(frozen=True)
class Trusted:
    """One trusted thing: why it must be trusted, and the evidence for it."""

    name: str
    kind: str
    reason: str
    evidence: str


def rows():
    """Return the whole ledger."""
    return [
        *function_rows(),
        *intrinsic_rows(),
        *outside_rows(),
        *convention_rows(),
        *model_rows(),
        *released_rows(),
        *outcome_rows(),
        *file_rows(),
        *vm_rows(),
        *guest_rows(),
        *host_rows(),
        *prover_rows(),
        *tool_rows(),
    ]


def function_rows():
    """Yield the kernel functions that the platform implements, or that are opaque to the prover."""
    for function in functions():
        where = f"{relative(function.file)}:{function.line}"
        if function.hardware:
            yield Trusted(
                function.symbol,
                "hardware function",
                f"the platform must do this: {function.hardware}",
                f"generated/platform; effect on the state: {where}",
            )
        if function.opaque:
            reason, evidence = OPAQUE[function.symbol]
            yield Trusted(function.symbol, "opaque function", reason, f"{evidence}; definition: {where}")


def intrinsic_rows():
    """Yield the functions whose Python body only the interpreter reads."""
    yield Trusted(
        "spec/wasm/floats.py",
        "intrinsic functions",
        "that C, Python and the standard give the same results is tested, not proved; "
        "the processor is taken to round to nearest, to keep subnormal numbers and to take no exceptions "
        "of floating point",
        (
            "tests/wasm/test_floats.py: Python against wasmtime, and the C of this machine and of AArch64 under QEMU "
            "against Python"
        ),
    )


def outside_rows():
    """Yield the functions that proofs call but no proof covers, and what the proofs assume about them."""
    found = {
        name: signature
        for contract in CONTRACTS.values()
        for name, signature in contract.calls.items()
        if name not in covered()
    }
    for name, signature in sorted(found.items()):
        does = (
            "returns the context of the current partition"
            if signature.changes
            else "comes back and leaves the kernel's memory as it is"
        )
        yield Trusted(
            f"{name}()",
            "function outside the proofs",
            f"is taken to run on its own stack only, to keep the saved registers, and that it {does}",
            (
                "proofs/machine/contracts.py; no such code writes a system register: image/machine-code-system; "
                "runs under QEMU"
            ),
        )


def convention_rows():
    """Yield what code assumes at its entry, as far as it is not proved."""
    tests = "tests/proofs/test_convention.py"
    yield Trusted(
        "entry by convention",
        "premise",
        "a function of the kernel is proved where SP is a multiple of 16, the link "
        "register says where to return to and each object is aligned as its type: "
        "whatever calls it is proved to do so, "
        "the exception vectors and the reset excepted",
        f"proofs/machine/convention.py; {tests}",
    )
    yield Trusted(
        "alignment",
        "hardware model",
        "an access must be aligned to its element with SCTLR_ELx.A set and of Device "
        f"memory, SP as a base to 16 bytes with SA set (B2.5.2, D1.8.2): {alignment.KERNEL.why}; "
        f"{alignment.PARTITION.why}",
        f"proofs/machine/alignment.py; spec/kernel/platform.py; {tests}",
    )


def model_rows():
    """Yield the assumptions about the architecture."""
    walk = translate(stage2_walk)
    yield Trusted(
        walk.symbol,
        "hardware model",
        "isolation is proved against this model of the Arm stage-2 walk (D8.2)",
        (
            f"{relative(walk.file)}:{walk.line}; tests/machine/test_walker.py: AT S12E1R and AT S12E1W in QEMU "
            "say the same"
        ),
    )
    own = translate(stage1_walk)
    yield Trusted(
        own.symbol,
        "hardware model",
        "what the kernel itself can reach is proved against this model of the Arm stage-1 "
        "walk at EL2 (D8.2), with the registers that the contract of `start` has it set",
        f"{relative(own.file)}:{own.line}; tests/machine/test_regime.py: AT S1E2R, AT S1E2W and fetches in QEMU",
    )
    for step in transitions(KERNEL):
        if step.operation is None and step.name not in ("unknown_operation", "boot"):
            function = translate(step.function)
            yield Trusted(
                f"step {step.name}",
                "model of events",
                f"one of the things that happen without a hypercall: {function.doc}",
                f"{relative(function.file)}:{function.line}",
            )
    yield Trusted(
        "exceptions",
        "hardware model",
        "an exception of EL1 or EL0 enters its vector at VBAR_EL2 with SP_EL2 and every register of the partition "
        "as they were, with ESR_EL2, FAR_EL2, ELR_EL2 and SPSR_EL2 telling of it, all masked; "
        "an exception return leaves for ELR_EL2 as SPSR_EL2 says (D1.3, D1.4)",
        "proofs/machine/contracts.py; tests/platform/test_run.py",
    )
    yield Trusted(
        "SHA-2 instructions",
        "hardware model",
        "the processor has them (ID_AA64ISAR0_EL1.SHA2), as Cortex-A72 with its cryptography has: on another one the "
        "kernel stops at its first record; they do what Arm ARM C7.2 says",
        "proofs/machine/hashing.py; tests/machine/test_oracle.py: QEMU does the same",
    )
    yield Trusted(
        "console",
        "hardware model",
        f"a device that has no room for a character after {LOOKS} looks at its flags loses it, "
        "so that no call waits for a device: "
        "QEMU's always has room; on a slower one output is cut, of the log too, which an audit tells",
        "proofs/machine/contracts.py: hardware_console_put",
    )
    yield Trusted(
        "effects",
        "hardware model",
        "barriers, TLB and cache maintenance, the clearing of a line (DC ZVA, of 64 bytes), "
        "the timer and the interrupt controller do what the manuals say "
        "once they are told "
        "in the order of the contracts (B2.3, C5.3, D8.14, IHI 0069)",
        "proofs/machine/contracts.py; runs under QEMU",
    )
    yield Trusted(
        "devices",
        "hardware model",
        "a device behind a virtio transport reads and writes no memory but its queue and what the descriptors there "
        "name, reads descriptors only after it was told of a request, nothing of a request after it counted that as "
        "used, and nothing once it says that it is reset (virtio 1.2, 2.4, 2.7); memory looks the same to it as to the "
        "processor; what it writes while the kernel runs is as if it had written between two steps: without an IOMMU "
        "nothing holds a device that breaks its rules",
        "proofs/machine/contracts.py: hardware_device_reset and others, what a device is told, and in which order; "
        "model/kernel/device.py: device_write; emulation/disk.py: QEMU's block device, with a hostile guest; "
        "emulation/wire.py: QEMU's consoles, between two machines",
    )
    flushes = (
        "model/kernel/memory.py: flush_translation; model/kernel/unit.py: flush_unit; "
        "model/kernel/partition.py: flush_partition; MEM-11, MEM-16 to MEM-18, UNIT-3, UNIT-6"
    )
    yield Trusted(
        "TLB",
        "hardware model",
        "a TLB holds nothing but what was walked, under the VMID and from the root in "
        "VTTBR_EL2, while a partition ran; a flush drops all of its VMID, and only what still stands in a table is "
        "fetched again (D8.13, D8.14)",
        f"{flushes}; that QEMU keeps no more is not tested",
    )
    yield Trusted(
        "large memory",
        "model of events",
        "what lies in a unit is no part of the state: a store of a guest that its walk leads to a unit changes that "
        "unit and nothing else, and nobody else learns of it; who is led there, and when, is proved",
        "model/kernel/action.py: guest_store; ISO-1, ISO-4, UNIT-6, UNIT-7, BLOCK-10 to BLOCK-12; "
        "tests/machine/test_walker.py",
    )
    yield Trusted(
        "instruction fetches",
        "hardware model",
        "they see what a page holds once it was cleaned to the point of "
        "unification and the instruction cache dropped, until it is written (B2.4)",
        "model/kernel/memory.py: synchronize_instructions; MEM-19, MEM-36, MEM-37; QEMU has no such cache",
    )
    yield Trusted(
        "loader",
        "hardware model",
        "a loader puts the segments of the image where their headers say, the boot package "
        "and the secret where the host says, and nothing over them; the processor begins at the entry, at EL2 with its "
        "MMU off: which entry, segments and rights these are is proved",
        "proofs/machine/loading.py; tests/platform/test_package.py: what was proved lies in the memory of QEMU",
    )
    yield Trusted(
        "harness",
        "premise",
        "a function that the harness of traces calls does what it does when the kernel calls it: "
        "its bytes, its address and the registers of EL2 are the same, only the tables map more: mailbox and harness",
        "generated/platform/harness/harness.c; tests/platform/test_package.py: it has no function of the kernel",
    )
    yield Trusted(
        "HCR_EL2.TIDCP",
        "emulator",
        f"it does not trap {', '.join(constants.UNTRAPPED)}: a partition reads their constants, "
        "among them where the interrupt controller lies",
        (
            "tests/machine/test_untrapped.py: every implementation defined register and operation is tried at EL1, "
            "these go through"
        ),
    )
    yield Trusted(
        "sums of shares",
        "argument",
        "the shares of all partitions, the kernel's reserve and the reserve of those who empty the log add up "
        "to the log: no step makes the shares more or less (PART-26: the rows that it writes are added up in Z3, "
        "those that it does not write count for what they did), each record uses up room of its caller alone "
        "(WIT-20, FAULT-11), and only a discard gives room back, only that of what it drops (WIT-21). "
        "Beyond a share are only reads of the next eight records while fewer wait to be dropped, "
        "and drops of eight (WIT-16). "
        "Each such drop takes eight records out, of those before it: a full log holds fewer than one in eight of them. "
        "Each such read copies eight more, at most up to sixteen behind what was dropped: "
        "so it holds at most one of them more than one in eight. So whoever has room left in its share finds a place "
        "in the log. This last sum is not written in Z3",
        (
            "tests/model/test_way_out.py; tests/model/properties.py: the accounts add up after every step of the "
            "random runs"
        ),
    )
    yield Trusted(
        "step boot",
        "model of events",
        "the kernel starts from all zeros with what the platform measured",
        (
            "proofs/machine/contracts.py: start, power_on; tests/platform/test_boot.py: "
            "the first guest instruction in QEMU finds just that state"
        ),
    )
    yield Trusted(
        "start after a failure",
        "hardware model",
        "PSCI SYSTEM_RESET keeps memory, with what caches held of it, but for what the host puts there before each "
        "start: kernel, package and secret, the same key again; the processor begins where it began, with all its "
        "registers reset but the counter, and all devices are reset, so that none writes any more",
        "platform/kernel/hardware.S: start_again; model/kernel/kept.py: what was kept is not believed without the key; "
        "tests/platform/test_warm.py: QEMU's machine; no board was tried",
    )
    yield Trusted(
        "log of a failed kernel",
        "argument",
        "a kernel that fails keeps its log as it finds it: if its state was broken, what was kept may be, too, which "
        "an audit of that log tells; in the middle of a record the last one is missing or its seal wrong. A fault "
        "while the log is kept halts the machine, and nothing is kept",
        "platform/kernel/console.c: restart; generated/platform/vectors.S: kernel_fault",
    )


def released_rows():
    """Yield what the specification lets a partition learn about others, and suffer from them."""
    for kind, table in (("released", RELEASED), ("interference", INTERFERENCES), ("disclosed", DISCLOSURES)):
        for row in table:
            function = translate(row.function)
            yield Trusted(
                f"{kind}: {row.name}",
                "declassification",
                f"{function.doc} {row.reason}",
                (
                    f"{relative(function.file)}:{function.line}; tests/proofs/test_noninterference.py: "
                    "without it a proof fails"
                ),
            )
    for row in SEALED:
        function = translate(row.function)
        yield Trusted(
            f"sealed: {row.table} in {', '.join(row.about)}",
            "declassification",
            f"{function.doc} {row.reason}: KEY leaves it out",
            f"{relative(function.file)}:{function.line}; tests/proofs/test_secret.py: without it a proof fails",
        )
    for name, reason in ((each.field, each.reason) for each in PRIVATE):
        yield Trusted(
            f"private: {name}",
            "argument",
            f"no partition sees it: {reason}",
            "spec/kernel/observation.py; tests/proofs/test_noninterference.py",
        )
    yield Trusted(
        "a series of steps",
        "argument",
        "that a series of steps tells no more than each step in turn follows by induction on its length "
        "from output consistency (NI-2) and weak step consistency (NI-5, which follows from NI-3 and NI-4): unwinding, "
        "as in J. Rushby, Noninterference, Transitivity, and Channel-Control Security Policies, CSL-92-02, "
        "SRI International 1992; "
        "both are proved of each step, the induction is not written in Z3",
        "proofs/unwinding.py; proofs/consistency.py; spec/kernel/observation.py; tests/proofs/test_consistency.py",
    )
    yield Trusted(
        "local respect",
        "argument",
        "NI-1 is asked of calls only, and of what a partition saw by itself. An object that it sees through a slot "
        "may be changed by others who hold capabilities on it: integrity says by whom. "
        "What it comes to see is a matter of NI-3",
        "proofs/respect.py; spec/kernel/integrity.py; tests/proofs/test_noninterference.py",
    )


def outcome_rows():
    """Yield where the promises about success rest on words shared with the operations, or on other promises."""
    yield Trusted(
        "words of operations and promises",
        "specification",
        "what success asks for and does is said in words of "
        f"its own, but for {', '.join(shared_words())}: a mistake in one of these is in the operation and in what is "
        "promised of it, so OK-iff and ENSURES do not show it; what slots, lives, incarnations and rings are, "
        "WORD-1 to WORD-4 say again",
        "spec/kernel/outcome/; spec/kernel/outcome/shared.py; the invariants and theorems that "
        "speak of them; tests/model/test_capabilities.py, tests/model/test_rings.py, tests/model/test_sha256.py",
    )
    books = [book.split(".") for book in (*KERNEL.books, *KERNEL.turn)]
    fields, of_caller = [", ".join(book[-1] for book in books if len(book) == size) for size in (1, 2)]
    yield Trusted(
        "books of the gate",
        "specification",
        f"ENSURES says nothing of {fields}, and of the caller's {of_caller}: the gate writes these whatever is called, "
        "and the theorems about it say what",
        "model/kernel/component.py; proofs/outcome.py; spec/kernel/witness.py; spec/kernel/ring.py; "
        "spec/kernel/schedule.py",
    )


def shared_words():
    """Return the functions that both the calls and the promises about their success use."""
    promised = reached(promise.function for registry in (CONDITIONS, EFFECTS) for promise in registry.values())
    return sorted(promised & reached([dispatch]))


def reached(entries):
    """Return the symbols of functions and of everything that they call."""
    found, waiting = set(), [translate(function) for function in entries]
    while waiting:
        function = waiting.pop()
        if function.symbol not in found:
            found.add(function.symbol)
            waiting += map(translate, function.callees)
    return found


def file_rows():
    """Yield the files of the platform, whose code is proved by contract."""
    generated = ROOT / "generated"
    for path in sorted(
        [
            *(ROOT / "platform" / "kernel").iterdir(),
            *(generated / "platform").rglob("*"),
            generated / "kernel" / "invariants.c",
        ]
    ):
        if path.suffix in (".S", ".c", ".ld"):
            kind = {".S": "assembly", ".c": "platform C", ".ld": "linker script"}[path.suffix]
            yield Trusted(
                path.relative_to(ROOT).as_posix(),
                kind,
                opening(path),
                "its code is proved, its data is read by tests; runs under QEMU",
            )


def vm_rows():
    """Yield the parts of the WebAssembly VM that no proof covers."""
    yield Trusted(
        "apart",
        "premise",
        "the slices of an instance and its record do not overlap but where one is named twice, "
        "no slice reaches over the end of all addresses "
        f"or has more than {handlers.LARGEST:#x} elements, and a handler is entered with each in its register",
        "proofs/machine/handlers.py; corollary/instance.py",
    )
    yield Trusted(
        "code of a valid module",
        "premise",
        "where a handler is entered, the function of its operation is defined, "
        "so that slots are in the stack and indices in range, "
        "and where it goes on there is an operation: that the translation of a valid module, "
        "and a snapshot that is accepted, keep it so is tested, not proved",
        "tests/wasm/test_reference.py: the reference, which checks every index, beside the C; "
        "tests/wasm/test_validation.py: instructions and "
        "operations side by side, for all values; tests/wasm/test_suite.py",
    )
    yield Trusted(
        "defined handlers",
        "premise",
        "a handler does what its operation means only where that is defined: slots and displacements are not "
        "checked when it runs, so one wrong "
        "slot in the code would be a read or write anywhere in the process that has the machine, or in the "
        "partition of an agent; the control stack stays within its room "
        "by how the translator counts the depth of calls",
        "proofs/machine/handlers.py: what must hold is assumed; tests/wasm/test_validation.py, "
        "tests/wasm/test_reference.py",
    )
    yield Trusted(
        "VM for x86-64",
        "C of the VM",
        "what the host runs is the same C compiled for its own processor: no proof covers that machine code; "
        "tests/wasm/test_suite.py runs it",
        "corollary/library.py; tests/wasm/test_suite.py, tests/wasm/test_differential.py, "
        "tests/wasm/test_interpreters.py",
    )
    yield Trusted(
        "moved() for x86-64",
        "C of the VM",
        "blocks of 2 KiB to 256 KiB are moved by a loop that stands only in this C: no model and no proof has it",
        "generated/vm/handlers.c; tests/wasm/test_block_copies.py: blocks of any size and overlap, its borders "
        "above all",
    )
    yield Trusted(
        "FPSR",
        "premise",
        "floating point of handlers leaves its flags in FPSR, which nobody looks at but the guest that runs "
        "the VM; no handler reads or writes FPCR and FPSR by itself",
        "tests/proofs/test_registers.py",
    )
    yield Trusted(
        "tables of an instance",
        "premise",
        "a table has room for its size, is null beyond, and its elements are those that the instance names; references "
        "of an instance do not count beyond 2^64",
        "proofs/machine/handlers.py; corollary/linker.py; model/wasm/snapshot.py: check_table",
    )
    yield Trusted(
        "stop",
        "premise",
        "others may write `stop` of a machine, and of a module that is loaded, at any time; "
        "the proof takes it to stay while one operation runs, "
        "which reads it once at each safe point, so that it is as if it had been written between two",
        "tests/wasm/test_bulk.py; tests/bench/test_costs.py; tests/corollary/test_threads.py",
    )
    yield Trusted(
        "corollary_run",
        "C of the VM",
        "that the run enters the first handler with the machine in its registers, and keeps the caller's",
        "tests/wasm/test_suite.py",
    )
    yield Trusted(
        f"{called.MOVE}, {called.FILL}",
        "C of the VM",
        "what handlers call has them move and fill elements, within slices as it is proved: that they do so, "
        "change nothing else "
        "and keep what the convention of calls keeps, is tested",
        "tests/wasm/test_suite.py; tests/wasm/test_reference.py",
    )
    yield Trusted(
        "floating point of the processor",
        "processor description",
        f"what {', '.join(floats.RULES)} do is in part taken for unknown functions, the same in handler and meaning, "
        "and of sums and products in either order: "
        "that each is what its instruction of WebAssembly computes is tested; FPCR is 0",
        "tests/wasm/test_floats.py: the C on AArch64 in QEMU, Python and wasmtime agree; "
        "tests/machine/test_oracle.py: there are such functions with which the rules say what QEMU does",
    )
    yield Trusted(
        "remainder",
        "premise",
        "a remainder is what is divided less the quotient times the divisor",
        "proofs/machine/handlers.py: the meaning is written so",
    )
    yield Trusted(
        "generated/vm",
        "C of the VM",
        "decoder, validator and translator come from model/wasm, whose functions are proved to be defined as they are "
        "called, and to end; "
        "that what they accept is valid, and that the translation means the same, is tested",
        "tests/wasm/test_suite.py",
    )


def guest_rows():
    """Yield the parts of the guest that runs agents that no proof covers."""
    files = ", ".join(f"guests/{name}" for name in ("agent.c", *RUNS_AGENTS))
    yield Trusted(
        "guests of agents",
        "C of guests",
        f"{files} do what an instance wants of the kernel; a mistake in them harms the agent "
        "and what its own partition holds, never another one",
        "tests/platform/test_agents.py, tests/platform/test_border.py, tests/wasm/test_examined.py",
    )
    yield Trusted(
        "librarian of agents",
        "C of guests",
        "guests/librarian.c and desk.c give the store of vectors rows, copy elements and check the badge; of the store "
        "only the steps of the index have a proof of their machine code, and distance.c, of which the guest links "
        "whether elements are finite, is compiled with other flags than what is proved; a mistake harms those who ask",
        "tests/platform/test_lending.py: a dictionary says the same",
    )
    yield Trusted(
        "who kills a librarian",
        "premise",
        "it waits between the end of the partition and the release of its pages, and gives nobody who may ask WRITE on "
        "its own partition: whoever reads a page that is taken back meanwhile is stopped",
        "docs/agents.md; guests/housing.c: end_guest",
    )
    yield Trusted(
        "key of agents' snapshots",
        "secret",
        "the guest that runs an agent has the key in its image, so whoever reads the image can forge what that agent "
        "goes on with",
        "model/wasm/snapshot.py: even then it does no more than its module could; tests/platform/test_border.py",
    )


def opening(path):
    """Return the question in the first comment of a file that asks one; banners do not."""
    comments = (part.split("*/")[0] for part in path.read_text().split("/*")[1:])
    return next((" ".join(text.split("?")[0].split()) + "?" for text in comments if "?" in text), "generated text")


def host_rows():
    """Yield what WebAssembly needs besides the machine."""
    yield Trusted(
        "corollary/",
        "library",
        "Python makes room for instances, does what they want of the host, and reads and seals snapshots",
        "tests/corollary/, tests/wasm/test_host.py, tests/wasm/test_snapshot.py, tests/wasm/test_wasi.py",
    )
    life = ", ".join(path.relative_to(ROOT).as_posix() for path in build.VM_LIFE)
    yield Trusted(
        life,
        "C of the VM",
        "a module, an instance and its calls get their room there, in guests and in programs in C; what fills "
        "this room and enters functions comes from model/wasm, and is proved to be defined",
        "tests/corollary/test_embedding.py, tests/platform/test_agents.py, tests/wasm/test_examined.py",
    )
    yield Trusted(
        "platform/vm/embedding.c",
        "C of the host",
        "programs in C load and call modules through it: it checks types of values and bounds of memory",
        "tests/corollary/test_embedding.py, also with a build that checks every access",
    )
    yield Trusted(
        "platform/vm/turn.c",
        "C of the host",
        "it cuts runs of the VM short and reads the clock between them; on the "
        "control stack it exchanges one place to return to, and puts it back",
        "tests/corollary/test_time.py: where a turn ends changes nothing",
    )
    yield Trusted(
        "values on the stack of a snapshot",
        "argument",
        "no operation takes a value of the stack for an address or an index without checking it, and a reference "
        "from it leads only to functions of the instance and to what it was given since: "
        "that is read from codegen/templates, and tested",
        (
            "tests/wasm/test_snapshot.py: forged states run between pages that nobody may touch; the check before: "
            "model/wasm/snapshot.py"
        ),
    )
    yield from compiled_rows()
    yield Trusted(
        "generated/store, generated/link",
        "C of the host",
        "blocks and frames are made and taken by functions of model/store and model/link, which are proved to be "
        "defined and to end, whatever the bytes; that content and messages are the right ones, and what the "
        "compiler of a host makes of the C, is tested",
        "tests/store/, tests/link/: reference implementations say the same, sanitizers watch forged input",
    )
    yield Trusted(
        "what a hello shows",
        "premise",
        "the package of a machine says what it has booted, and only packages that say so truly hold the secret; the "
        "seal of the log, from which the nonce is taken, is new in each boot as long as its key is",
        "docs/agents.md; tests/link/test_exchange.py: whoever lacks the secret, or shows something else, is refused",
    )
    yield Trusted(
        "generated/vectors",
        "C of the host",
        "the index and the search are proved as a model, and all of it to be defined and to end, whatever bytes there "
        "are; that the distance of words is that of IEEE 754 rests on spec/wasm/floats.py, whose functions no proof "
        "looks into; that a host writes elements only into the row it was given, and what its compiler makes of the C, "
        "is tested",
        "tests/vectors/: a dictionary and exact fractions say the same, sanitizers watch forged stores",
    )
    yield Trusted(
        "search of vectors",
        "composition",
        "what a search has seen is what the store holds when it ends: each row is seen as it is (look/ENSURES), and "
        "stays so as long as the search goes on (NEAR-5)",
        "tests/vectors/test_store.py: the answer is that of a dictionary",
    )
    yield Trusted(
        "generated/governance",
        "C of the host",
        "governance is proved as a model, and so is its machine code for AArch64 without a host; "
        "what the compiler of a host makes of its C is tested",
        "tests/governance/test_proved.py: C does the same as the model in every trace",
    )
    yield Trusted(
        "who asks governance",
        "premise",
        "corollary/governance/ gives each agent in a session its own row, asks before anything is done, and reads a "
        "clock that goes on; whoever calls it says truly who is trusted and what has agreed",
        "tests/governance/: each clause of the specification, and each known defect of its reference",
    )
    yield Trusted(
        "generated/placement",
        "C of the host",
        "placement is proved as a model, and so is its machine code for AArch64 without a host; "
        "what the compiler of a host makes of its C is tested",
        "tests/placement/test_graph.py: C does the same as the model",
    )
    yield Trusted(
        "generated/manager, generated/handover",
        "C of the host",
        "the manager is proved as a model, and both ends of a move together, and so is their machine code for AArch64 "
        "without a host; what the compiler of a host makes of the C is tested",
        "tests/manager/: C does the same as the model in every trace",
    )
    yield Trusted(
        "who drives a manager",
        "premise",
        "it writes rows before it does anything else, tells only outcomes that are so, and makes no message up; a "
        "manager that begins again goes on with rows that were written",
        "docs/agents.md; tests/manager/test_migration.py: whatever else it does, the agent is in one place",
    )
    yield Trusted(
        "HMAC-SHA-256 of Python", "library", "only who has the key can seal a snapshot", "tests/wasm/test_snapshot.py"
    )


def compiled_rows():
    """Yield the functions of each component whose machine code is not proved, and what the proof of others assumes."""
    for each in components.BESIDE:
        yield from unproved_rows(each.name, compiled.unproved(each.name))
    for name in sorted(set(LIBRARIES) - {each.name for each in components.BESIDE}):
        yield from unproved_rows(name, dict.fromkeys(LIBRARIES[name].program.functions, "is of no component"))
    yield Trusted(
        f"{FILL} for components",
        "C library",
        "where the compiler sets a whole record to zero, it calls this function, which is taken to do so, to change "
        "nothing else and to keep what the convention of calls keeps",
        "proofs/machine/component.py",
    )
    yield Trusted(
        "check_invariants in generated/*/invariants.c",
        "generated C",
        "it evaluates all invariants of a component in one state, for tests only; it has no model, and no proof",
        "tests/manager/test_proved.py",
    )


def unproved_rows(name, unproved):
    """Yield functions of the C of a component, or of a library, whose machine code is not proved."""
    for function, why in unproved.items():
        yield Trusted(
            f"{name}: {function.symbol}",
            "machine code that is not proved",
            f"its machine code is not compared with the model, since it {why}",
            f"tests/{name}/; definition: {relative(function.file)}:{function.line}",
        )


def prover_rows():
    """Yield the programs that read the specification, and their assumptions."""
    yield Trusted(
        "language/",
        "front end",
        "gives Python source its meaning as IR",
        "tests/language/test_readings.py: random functions run as Python, as Z3 terms and as C",
    )
    yield Trusted(
        "proofs/",
        "prover",
        "turns IR into questions and answers into results",
        "counterexamples and covers are replayed in the model",
    )
    yield Trusted(
        "codegen/",
        "generator",
        "lays out the platform's C and assembly; of what comes from the model the machine code is proved",
        "tests/codegen/test_same_as_model.py: the C, run on random traces, against the model",
    )
    yield Trusted(
        "initialized()",
        "argument",
        "an array that a function writes from end to end before it reads it may hold other things where "
        "machine code calls it than where the "
        "model does: that a function does so is read from its IR, by a rule that no proof covers",
        "proofs/machine/summary.py; tests/proofs/test_machine_code.py",
    )
    yield Trusted(
        "machine code where the model is defined",
        "composition",
        "machine code is compared with the model wherever no sum overflows and no index is "
        "out of range there; that this is so for every step is proved at level 1",
        "obligations */well-formed in this report",
    )
    yield Trusted(
        "steps of contracts",
        "composition",
        "that whatever a contract has the model do to the state is one of the steps that levels 1 to 3 are proved of, "
        "from a state that satisfies all invariants, is read off the contracts",
        "proofs/machine/contracts.py; proofs/transition.py: transitions",
    )
    yield Trusted(
        "proofs that are kept",
        "cache",
        "a proof counts again while all that was read as it was decided says the same, by SHA-256, tools by "
        "their versions; who can write to build/cache can put anything there: "
        "remove it to have everything decided anew",
        (
            "proofs/cache.py; tests/proofs/test_reads.py: each kind of edit has proofs decided anew, "
            "and whatever is executed was recorded"
        ),
    )
    yield Trusted(
        "hashes in states that are found",
        "premise",
        "a state that shows that something can happen may suppose what compressions of SHA-256 come to; "
        "all else of it satisfies every invariant at every index, and the model takes the step, "
        "also from one that is kept",
        "proofs/replay.py: hashes_as_supposed; tests/proofs/test_whole.py, tests/proofs/test_witnesses.py",
    )
    yield Trusted(
        "time",
        "hardware model",
        (
            "how long an instruction takes depends on what it is, on branches and on addresses, "
            "never on the words that it works on"
        ),
        "proofs/machine/constant_time.py; division, whose time does depend on them, is refused there",
    )
    yield Trusted(
        "spec/", "specification", "the promises themselves: a human must read them", "the sentences in this report"
    )


def tool_rows():
    """Yield third-party programs."""
    yield Trusted(f"z3 {version('z3-solver')}", "solver", "its `unsat` is believed", "pinned in pyproject.toml")
    yield Trusted(
        f"bitwuzla {version('bitwuzla')}",
        "solver",
        "its `unsat` is believed of what z3 does not find soon: such obligations name it as their solver",
        "pinned in pyproject.toml; with `make verify-full` z3 must find each of them, too",
    )
    yield Trusted(
        f"zig cc {version('ziglang')}",
        "compiler",
        "compiles the C that has no contract; what else it makes is proved, not believed",
        "pinned in pyproject.toml",
    )
    yield Trusted(
        f"SLEIGH of pypcode {version('pypcode')}",
        "processor description",
        "says what each instruction does",
        "tests/machine/test_oracle.py: every form, whether an image holds it or not, run in QEMU on random "
        "fields and states, leaves what the rules say; "
        "tests/machine/test_system.py: registers, vectors and barriers of EL2 likewise, "
        "and their names are the assembler's",
    )
    yield instruction_row()
    yield Trusted(
        f"wasmtime {version('wasmtime')}",
        "text parser",
        "makes binaries of the modules that the official WebAssembly suite gives as text",
        "tests/wasm/test_suite.py: as an engine, it passes every file of the suite that is there",
    )
    yield Trusted(
        f"Python {platform.python_version()}", "interpreter", "runs the model, the prover and the generator", ""
    )
    yield Trusted(qemu(), "emulator", "stands for the hardware in every run", "")


def instruction_row():
    """Return the row about the instructions that machine code may contain."""
    counts = Counter(form.use for form in instructions.forms())
    uses = ", ".join(f"{count} {use}" for use, count in counts.items())
    return Trusted(
        "instruction set",
        "processor description",
        f"{counts.total()} forms ({uses}) are taken to be all that Cortex-A72 (Armv8.0-A) runs here, at EL2 "
        f"and at EL1, as "
        "it is neither UNDEFINED nor UNPREDICTABLE; every other word is refused. QEMU's Cortex-A72 stands for "
        "the processor in every comparison",
        "proofs/machine/instructions.py; tests/machine/test_instructions.py: the assembler for Cortex-A72 "
        "makes each form, two disassemblers call every accepted word as its "
        "row does; tests/proofs/test_registers.py: no other instruction and no other register is accepted "
        "anywhere",
    )


def version(package):
    """Return the version of an installed package."""
    return importlib.metadata.version(package)


def qemu():
    """Return the emulator and its version."""
    found = shutil.which(QEMU)
    if found is None:
        return "QEMU (not installed here)"
    said = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
    return said.splitlines()[0]


def relative(file):
    """Return a path relative to the root of the tree, or unchanged if it lies elsewhere."""
    path = Path(file).resolve()
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(file)
