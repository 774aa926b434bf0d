"""What can one do with Corollary from the command line? The `--help` of each command teaches it.

Nothing heavy is imported before a command runs, so help appears at once.
"""

import contextlib
import os
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from corollary.codegen.folders import IN_TREE, ROOT
from corollary.commands import agents, exits
from corollary.commands.ending import AsJson, finish, finish_told, finish_with, print_json, refuse
from corollary.commands.exits import FAILED, PASSED

KEY_SIZE, LONGEST_KEY_FILE = 32, 256  # bytes

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""
**A kernel that is a corollary of its specification.**

A first round: `corollary verify` proves every promise, `corollary gen` writes the C, `corollary qemu` boots it,
`corollary report` shows all of it on one page.

When a proof fails: `corollary explain ID` shows a state in which the promise breaks. Afterwards, offline:
`corollary audit LOG` checks a witness log, `corollary replay LOG --state FILE` shows that it explains a kernel's state.
`corollary watch LOG` shows what a log tells, while a machine still writes it.
""",
    epilog=exits.explained(),
)

ExistingFile = Annotated[Path, typer.Argument(exists=True, dir_okay=False)]
Key = Annotated[
    str,
    typer.Option(
        metavar="HEX",
        envvar="COROLLARY_KEY",
        help="The key, 64 hexadecimal digits. Others see what a command is given: a file or the environment keeps it.",
    ),
]
KeyFile = Annotated[
    Path | None, typer.Option(exists=True, dir_okay=False, help="A file with the key, which goes before --key.")
]

Host = Annotated[str, typer.Option(help="The address to listen at. Whoever reaches it can do everything.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at; 0 takes a free one.")]

IdentityFolder = Annotated[
    Path | None,
    typer.Option(
        "--identity",
        metavar="FOLDER",
        file_okay=False,
        help="Show an identity: that of SPIRE, else of the files here, else of an authority for development.",
    ),
]
PolicyFile = Annotated[
    Path | None,
    typer.Option("--policy", metavar="FILE", dir_okay=False, help="Who has which clearance, and what needs which."),
]


def at_root():
    """Change to the root of the source tree, where results and sources are found.

    Ends with a message when the package is installed without a source tree.
    """
    if not IN_TREE:
        refuse("there is no source tree here: run this from a clone, after `make`, as .venv/bin/corollary")
    os.chdir(ROOT)


@app.command()
def verify(
    only: Annotated[str, typer.Option(metavar="TEXT", help="Only obligations whose id contains TEXT.")] = "",
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="Let Z3 decide alone, and put whatever it calls impossible to a second solver, too."
        ),
    ] = False,
    dask: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Decide on the workers of this Dask scheduler; `local:N` starts N here."),
    ] = "",
    name: Annotated[
        str, typer.Option("--component", metavar="NAME", help="Only this component, such as `kernel` or `placement`.")
    ] = "",
    as_json: AsJson = False,
):
    """Prove every promise for every step of the system, component by component.

    What was proved before and has not changed since is not proved again. Results: `build/verify.json`, with `--only`
    `build/verify-only.json`; those of a component other than the kernel are in `build/` under its name. In a folder
    with a `component.py`: those of that component, with counterexamples.

    Examples: `corollary verify`, `corollary verify --only page_map/`, `corollary verify --full`,
    `corollary verify --dask tcp://10.0.0.7:8786`
    """
    from corollary.commands import component

    if component.is_here():
        result = component.PARTIAL if only else component.RESULT
        if dask:
            refuse("--dask is for the kernel: a component is proved here")
        finish_with(lambda: of_component(component.verify, only, full), as_json, result)
    at_root()
    from corollary.model import components
    from corollary.proofs import cluster, second
    from corollary.proofs import verify as verifying

    known = {each.name: each for each in components.ALL}
    if name and name not in known:
        refuse(f"--component {name}: there is none of this name, only {', '.join(known)}")
    chosen = [known[name]] if name else components.ALL

    if full:
        os.environ[second.SWITCH] = "1"
    try:
        result = verifying.results_of(chosen[0])[bool(only)]
        finish_with(lambda: verifying.every(chosen, only, dask), as_json, result)
    except cluster.Unusable as problem:
        refuse(f"--dask: {problem}")


@app.command()
def doctor(as_json: AsJson = False):
    """Say what is missing on this machine, what needs it, and how to get it; exit with 1 if it is a required thing.

    Says also how long `make` and its targets take, and the memory and the disk that they took the last time.

    Examples: `corollary doctor`, `corollary doctor --json`
    """
    from corollary.commands.doctor import as_data, findings, show

    found = list(findings())
    if as_json:
        print_json(as_data(found))
    else:
        show(found)
    finish(any(each.verdict == "missing" for each in found))


@app.command()
def gen(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail if anything would change.")] = False,
    as_json: AsJson = False,
):
    """Generate the C, the assembly, the guest stubs and the operation reference into `generated/`.

    In a folder with a `component.py`: the C of that component.

    Examples: `corollary gen`, `corollary gen --check`
    """
    from corollary.commands import component

    if component.is_here():
        finish_told(lambda: of_component(component.generate, check, refused=(FAILED, None)), as_json)
    at_root()
    from corollary.codegen import __main__ as generating
    from corollary.codegen.render import files

    finish_told(lambda: generating.run(check, files(), "corollary gen"), as_json)


@app.command()
def new(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Of a component, a name of a Python package; or `js-agent`, `discord-bot`, `tool-agent`.",
        ),
    ],
    folder: Annotated[
        Path | None, typer.Argument(help="Where to write an agent; a component's folder has its name.")
    ] = None,
):
    """Begin a component of your own: a folder with a small bank to change. Or begin an agent in JavaScript.

    `corollary verify`, `corollary gen` and `corollary test` then work in the folder of a component. The README of an
    agent says how it is built, and runs in `corollary serve`.

    Examples: `corollary new ledger`, `corollary new js-agent my-agent`
    """
    from corollary.commands import component, project

    try:
        if name in project.PROJECTS:
            typer.echo(f"wrote {project.begin(name, folder or Path(name))}: go there, and read README.md")
            return
        if folder is not None:
            refuse(f"the folder of component {name} has its name: leave {folder} out")
        made = component.begin(name)
    except component.Refused as problem:
        refuse(str(problem))
    typer.echo(f"wrote {made}: go there, and run `corollary verify`, `corollary gen`, `corollary test`")


@app.command()
def test(as_json: AsJson = False):
    """Run the component of this folder on random steps: its promises hold, and its C does the same as its model.

    A mistake is shown with the shortest steps that lead to it. Results: `build/test.json`.

    Example: `corollary test`
    """
    from corollary.commands import component

    if not component.is_here():
        refuse(
            "there is no component.py here: `corollary new NAME` makes a folder with one; "
            "the kernel is tested by `make test`"
        )
    finish_with(lambda: of_component(component.test), as_json, component.TESTED)


def of_component(command, *arguments, refused: Any = FAILED):
    """Return what a command returns for the component of this folder; for a wrong one say why, and return `refused`."""
    from corollary.language.types import LanguageError

    try:
        return command(*arguments)
    except LanguageError as problem:
        typer.echo(str(problem), err=True)
        return refused


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def qemu(context: typer.Context, as_json: AsJson = False):
    """Build the image, boot it under QEMU, show who did what, and judge the outcome.

    With `--agents`, WebAssembly agents run instead, each in a partition of its own: `all`, some of `guests/agents/`, or
    modules of your own that export `run`. With `--disk`, guests use a disk, one of them against the rules: `good`,
    `read-only` or `failing`. With `--wire`, two machines send each other sealed messages, over a `good` wire or a
    `hostile` one. With `--fail`, the `kernel` or `root` fails while agents run, and the kernel starts again. The
    options of the runner work, too: see `python -m corollary.emulation.qemu --help`.

    Examples: `corollary qemu`, `corollary qemu --agents all`, `corollary qemu --agents ping,pong`,
    `corollary qemu --agents /tmp/mine.wasm`, `corollary qemu --disk good`,
    `corollary qemu --wire hostile`
    """
    here = Path.cwd()
    at_root()
    from corollary.emulation.qemu import main, result_of

    finish_with(lambda: main(context.args, here), as_json, result_of(context.args))


@app.command()
def audit(
    log: ExistingFile,
    key: Key = "",
    key_file: KeyFile = None,
    seal: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="A checkpoint of 128 bytes that you hold: the log must run through it. Needs a key.",
        ),
    ] = None,
    after: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="The log before: does this one go on from it?")
    ] = None,
    unsealed_tail: Annotated[
        str, typer.Option(metavar="N|any", help="With a key: accept so many records behind the last sealed checkpoint.")
    ] = "0",
    show: Annotated[bool, typer.Option("--list", help="Print every record.")] = False,
    partition: Annotated[
        int | None, typer.Option(help="Print the records of this partition; 65535 is the kernel.")
    ] = None,
    kind: Annotated[str, typer.Option(help="Print the records of this kind, such as REGION_MAP.")] = "",
    status: Annotated[str, typer.Option(help="Print the records that ended so, such as REVOKED.")] = "",
    obj: Annotated[
        str,
        typer.Option(
            "--object", metavar="[NAME=]VALUE", help="Print the records with this argument, such as page=100."
        ),
    ] = "",
    since: Annotated[float | None, typer.Option(metavar="SECONDS", help="Print the records from this time on.")] = None,
    until: Annotated[float | None, typer.Option(metavar="SECONDS", help="Print the records up to this time.")] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, help="Write the records alone to this file, with zeros for links: what `sha256sum` hashes."
        ),
    ] = None,
    as_json: AsJson = False,
):
    """Check a witness log offline: is it whole, and did this kernel write it?

    The verdict names the first bad record. The chain alone shows that nothing was changed, removed or moved by someone
    who cannot write the whole log anew. With the key of the boot, a sealed checkpoint shows that this kernel, in this
    boot, wrote all records before it. The log is then good only when the last checkpoint vouches for every record, or
    for all but as many as `--unsealed-tail` allows. Logs of any length are read as a stream.

    A kernel that starts again after a failure begins another log; `--after` checks that it goes on from the one before.

    Examples: `corollary audit run.log --key-file run.log.key`,
    `corollary audit run.log --partition 5 --status REVOKED`, `corollary audit run.log --object page=100 --since 1.5`
    """
    from corollary.record.audit import Query, describe
    from corollary.record.audit import audit as check

    first, last = nanoseconds("--since", since), nanoseconds("--until", until)
    if first is not None and last is not None and first > last:
        refuse("--since is later than --until: no record can match")
    chosen = Query(
        known_partition(partition), member("Action", kind), member("Status", status), named_value(obj), first or 0, last
    )
    printed = show or chosen != Query()
    held = read_seal(seal) if seal else None
    tail = number_of_records(unsealed_tail)
    secret = key_of(key, key_file)
    if held and not secret:
        refuse("--seal needs --key or --key-file")
    if tail != 0 and not secret:
        refuse("--unsealed-tail needs --key or --key-file: without a key no record is vouched for")

    with log.open("rb") as stream, kept_at(records) as keep:

        def tell(record):
            keep(record)
            if printed and chosen.wants(record):
                typer.echo(describe(record), err=as_json)

        verdict = check(stream, secret, held, tail, on_record=tell)
    if after and verdict.good:
        verdict.fault = missing_link(after, secret, verdict)
    if as_json:
        told = asdict(verdict) | {
            "good": verdict.good,
            "unsealed": verdict.unsealed,
            "chain": verdict.chain.hex(),
            "head": verdict.head.hex(),
        }
        print_json({name: value for name, value in told.items() if name != "information"})
    else:
        print_verdict(verdict, secret is not None)
    finish(PASSED if verdict.good else FAILED)


def missing_link(path, key, verdict):
    """Say in words why a good log does not go on from the one at a path; return "" if it does."""
    from corollary.record.audit import audit as check
    from corollary.record.continued import gap

    with path.open("rb") as stream:
        before = check(stream, key)
    return gap(before, verdict) if before.good else f"the log before it is not good: {before.fault}"


@contextlib.contextmanager
def kept_at(path):
    """Return a function that writes records to a file as they are hashed, or that does nothing without a file."""
    if path is None:
        yield lambda record: None
        return
    from corollary.language.layout import encode
    from corollary.record.witness_log import hashed
    from corollary.spec.kernel.state import WitnessRecord

    with path.open("wb") as file:
        yield lambda record: file.write(hashed(encode(record, WitnessRecord)))


def print_verdict(verdict, keyed):
    """Print the outcome of an audit."""
    if not verdict.good:
        typer.echo(f"BAD: {verdict.fault}")
        typer.echo(f"the {verdict.records} records before it follow from each other")
        return
    typer.echo(f"GOOD: {verdict.records} records; SHA-256 of the log {verdict.head.hex()}")
    if verdict.information:
        from corollary.record.witness_log import measured

        typer.echo(f"measured boot: {measured(verdict.information).hex()} (compare it with the one you expect)")
    else:
        typer.echo(
            f"the log begins at record {verdict.begins}, with a checkpoint that was sealed there: "
            "of what was before it tells nothing"
        )
    typer.echo(
        vouching(verdict)
        if keyed
        else "no key was given: the records follow from each other, but someone may have written all of them anew"
        f"; with the key the {verdict.seals} checkpoints of the log can tell"
    )


def vouching(verdict):
    """Say in words which records of a good log the key vouches for."""
    if not verdict.sealed:
        return (
            f"no checkpoint vouches for any of them: as you allowed, all {verdict.unsealed} records may have been "
            "written by anybody"
        )
    sealed = f"{verdict.sealed} checkpoints were sealed with the key; the last vouches for "
    if verdict.unsealed == 0:
        return sealed + "every record"
    return sealed + (
        f"the records before {verdict.vouched}; as you allowed, the {verdict.unsealed} from there on may have been "
        "written by anybody"
    )


@app.command()
def replay(
    log: Annotated[str, typer.Argument(metavar="LOG|AGENT", help="With --state a log, without it an agent.")],
    state: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="The bytes of the kernel's state after the log.")
    ] = None,
    saved: Annotated[
        Path | None,
        typer.Option(
            "--from", exists=True, dir_okay=False, help="The bytes of an earlier state to go on from, instead of boot."
        ),
    ] = None,
    key: Key = "",
    key_file: KeyFile = None,
    since: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Of an agent, do only the turns after this one again.")
    ] = None,
    at: agents.Runtime = agents.HERE,
    as_json: AsJson = False,
):
    """Rebuild the kernel's state from the log alone, and compare it field by field with the real one.

    Names the first record that the model does not explain, or the first field that differs. A log that starts at a
    checkpoint needs the key of the boot.

    Without --state it is about an agent of a runtime: its turns are done again in a copy, which touches neither the
    agent nor the world, and each is said to have left the same state and done the same, or not.

    Examples: `corollary replay run.log --state kernel.bin`,
    `corollary replay rest.log --state kernel.bin --from checkpoint.bin --key-file boot.key`,
    `corollary replay counter --since 41`
    """
    from corollary.record.replay import EXCLUDED, state_in
    from corollary.record.replay import replay as rebuild

    if state is None:
        if Path(log).is_file():
            refuse(f"{log} is a file: give --state for a log; for an agent of that name, go to another folder")
        return agents.replay(log, since, at, as_json)
    try:
        stream = open(log, "rb")
    except OSError as problem:
        refuse(f"{log}: {problem.strerror}")
    with stream:
        outcome = rebuild(stream, state_in(state), state_in(saved) if saved else None, key_of(key, key_file))
    excluded = [{"what": what, "why": why} for what, why in EXCLUDED]
    if as_json:
        told = {"same": outcome.same, "records": outcome.records, "fault": outcome.fault, "not_compared": excluded}
        print_json(told)
    else:
        typer.echo(
            f"SAME: {outcome.records} records explain the state" if outcome.same else f"DIFFERENT: {outcome.fault}"
        )
        for each in excluded:
            typer.echo(f"not compared: {each['what']} ({each['why']})")
    finish(PASSED if outcome.same else FAILED)


@app.command()
def watch(
    log: Annotated[Path, typer.Argument(dir_okay=False)],
    once: Annotated[bool, typer.Option("--once", help="Print what the log tells now, and end.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for the file if there is none yet.")] = False,
    interval: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.05, max=60, help="Between two looks at the file.")
    ] = 0.5,
    trust_chain: Annotated[
        bool,
        typer.Option(
            "--trust-chain",
            help="Do not check the link of each record, only what checkpoints and the end say: ten times as fast.",
        ),
    ] = False,
    key: Key = "",
    key_file: KeyFile = None,
    as_json: AsJson = False,
):
    """Show what a witness log tells, live: partitions, edges, notifications, tiers of proof, and what was refused.

    Everything comes from the records, each checked as it arrives, as `corollary audit` does. A log that a machine still
    writes is followed until it ends, or until Ctrl-C. Without a terminal, and as JSON, what is there is printed once.
    What the log does not tell is shown as `?`. The weight of an edge is what it carried, of which each epoch takes 5 %
    away. A file that is cut, removed or replaced meanwhile is watched no more: a witness log only grows.

    Examples: `corollary watch run.log`, `corollary watch run.log --once`, `corollary watch run.log --json`
    """
    from corollary.commands import watch as watching
    from corollary.record.witness_log import BadLog

    secret = key_of(key, key_file)
    if wait:
        watching.wait_for(log, interval)
    elif not log.exists():
        refuse(f"{log} does not exist: name the log of a run, or let --wait wait for it")
    try:
        found, facts = watching.watch(log, secret, trust_chain, interval, once, silent=as_json)
    except BadLog as problem:
        refuse(str(problem))
    if as_json:
        print_json(watching.as_data(found, facts))
    finish(PASSED if found.verdict.good else FAILED)


@app.command()
def explain(
    obligation: Annotated[str, typer.Argument(metavar="ID", help="An obligation, such as page_map/MEM-3.")],
    save: Annotated[
        bool, typer.Option("--save", help="Keep the counterexample as a test in tests/counterexamples/.")
    ] = False,
    as_json: AsJson = False,
):
    """Show why an obligation failed: its counterexample runs again in the model, with before, call and after.

    Examples: `corollary explain capability_grant/CAP-10`, `corollary explain capability_grant/CAP-10 --save`
    """
    at_root()
    from rich.console import Console

    from corollary.report import explain as explaining

    if as_json:
        found = explaining.as_data(obligation, save)
        print_json(found)
        finish(not explaining.is_well(found))
    finish(explaining.explain(obligation, Console(), save))


@app.command()
def report(
    compare: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            metavar="OLD.json",
            help="An earlier `build/verify.json`: say what has changed since, here and in the report.",
        ),
    ] = None,
    as_json: AsJson = False,
):
    """Show all results on pages that need no network: open `build/report/index.html`.

    In a folder with a `component.py`: one page about that component.

    Examples: `corollary report`, `corollary report --compare yesterday.json`
    """
    from corollary.commands import component

    if component.is_here():
        if compare:
            refuse("--compare is for the kernel")
        finish(of_component(component.report, as_json))
    earlier = compare and compare.absolute()
    at_root()
    from corollary.report import results, trend
    from corollary.report.page import summary, write

    try:
        old = results.verified(earlier) if earlier else None
    except results.Damaged:
        refuse(f"--compare: {compare} is no result of `corollary verify`, or of another version")
    told = summary(write(old=old), old)
    if as_json:
        print_json(told)
        return
    for line in trend.told(trend.Trend(**told["trend"])) if old else ():
        typer.echo(line)
    typer.echo(told["page"])


@app.command()
def differential(
    steps: Annotated[int, typer.Option(min=1, help="Exceptions to take, at least.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Of the first trace.")] = 0,
    as_json: AsJson = False,
):
    """Run random calls, faults and interrupts on the kernel's machine code and in the model, and compare after each.

    Whole exceptions run, from the vector to the exception return, in an emulator (Unicorn) that shares no code with the
    prover. Results: `build/differential.json`.

    Examples: `corollary differential`, `corollary differential --steps 1000000`
    """
    at_root()
    from corollary.emulation.differential import RESULT, main

    finish_with(lambda: main(["--steps", str(steps), "--seed", str(seed)]), as_json, RESULT)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def mutants(context: typer.Context, as_json: AsJson = False):
    """Seed small bugs automatically, and check that each is noticed. Results: `build/mutants.json`.

    In a folder with a `component.py`: bugs in the model of that component.

    Examples: `corollary mutants`, `corollary mutants --only page_map`
    """
    from corollary.commands import component

    if component.is_here():
        only = component.text_of(context.args)
        result = component.MUTANTS_PARTIAL if only else component.MUTANTS
        finish_with(lambda: of_component(component.mutants, only), as_json, result)
    at_root()
    from corollary.proofs.mutants.run import main, result_of

    finish_with(lambda: main(context.args), as_json, result_of(context.args))


@app.command()
def bench(
    only: Annotated[
        list[str] | None, typer.Option(metavar="PROGRAM", help="Only this program; may be given again.")
    ] = None,
    engine: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this engine; may be given again.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="How often each engine takes its turn.")] = None,
    costs: Annotated[bool, typer.Option("--costs", help="Search for the inputs that cost the most, instead.")] = False,
    hypercalls: Annotated[
        bool, typer.Option("--hypercalls", help="Count the instructions of hypercalls and of the boot, instead.")
    ] = False,
    as_json: AsJson = False,
):
    """Compare WebAssembly engines and native code on a few programs; all take turns in one run.

    `BENCH_ENGINE` names one more: a binary that takes `--invoke run FILE SCALE`, or a command with `{wasm}` and
    `{scale}`.
    Results: `build/bench.json` and `build/bench.svg`; of a partial run, `build/bench-only.json` and
    `build/bench-only.svg`; of costs, `build/costs.json` and, plotted against the size of the input, `build/costs.svg`;
    of hypercalls, `build/hypercalls.json`.

    Examples: `corollary bench`, `corollary bench --only fib --engine wasm3 --engine native --rounds 5`,
    `corollary bench --costs`, `corollary bench --hypercalls`
    """
    at_root()
    if hypercalls:
        from corollary.report import hypercalls as counting

        finish_with(counting.main, as_json, counting.RESULT)
    if costs:
        from corollary.bench import growth

        finish_with(growth.main, as_json, growth.RESULT)
    from corollary.bench import engines, measure, programs

    for asked, known in ((only, programs.SOURCES), (engine, engines.ENGINES)):
        for name in asked or ():
            if name not in known:
                refuse(f"{name} is unknown; there are {', '.join(known)}")
    partial_ = measure.PARTIAL if only or engine else measure.RESULT
    finish_with(lambda: measure.main(only, engine, rounds or measure.ROUNDS), as_json, partial_)


@app.command()
def run(
    agent: ExistingFile,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ARGS", help="What the program, or the function, is given; after `--` also what begins with a dash."
        ),
    ] = None,
    invoke: Annotated[
        str,
        typer.Option(
            metavar="FUNCTION", help="Call this exported function with numbers, instead of starting the program."
        ),
    ] = "",
    fuel: Annotated[int | None, typer.Option(min=0, help="Suspend it after so many calls and branches back.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Suspend it after this time.")] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--snapshot-on-suspend", metavar="FILE", dir_okay=False, help="Keep it when it is suspended. Needs a key."
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="Go on with a snapshot of it. Needs the key that it was made with."
        ),
    ] = None,
    key: Key = "",
    key_file: KeyFile = None,
    folder: Annotated[
        list[Path] | None,
        typer.Option("--dir", exists=True, file_okay=False, help="A folder that it may read; may be given again."),
    ] = None,
):
    """Run a WebAssembly program of WASI preview 1, or one function of a module; or a component, as one of WASI 0.2.

    It gets its arguments, the standard streams, clocks, random bytes, and folders given with `--dir`; nothing else.
    A snapshot can be resumed on any machine, but files that were open are not part of it. A component gets no folders,
    and has no snapshots. Exits with the status of the
    program, or with 1 when it traps, is refused, or is suspended and not kept.

    Examples: `corollary run agent.wasm --dir data`,
    `corollary run fib.wasm --invoke fib 30 --fuel 100000 --snapshot-on-suspend fib.snapshot --key-file my.key`,
    `corollary run fib.wasm --resume fib.snapshot --key-file my.key`
    """
    from corollary.codegen.folders import write_whole
    from corollary.commands import run as runner

    secret = key_of(key, key_file)
    if (save or resume) and not secret:
        refuse("--snapshot-on-suspend and --resume need --key or --key-file")
    if save and not os.access(save if save.exists() and not save.is_file() else save.absolute().parent, os.W_OK):
        refuse(f"--snapshot-on-suspend: {save} cannot be written")
    try:
        code = runner.run(
            runner.module_in(agent),
            [agent.name, *(arguments or ())],
            invoke,
            fuel,
            seconds,
            folder or (),
            runner.snapshot_in(resume) if resume else None,
            secret or b"",
            partial(write_whole, save) if save else None,
        )
    except runner.WrongUse as wrong:
        refuse(str(wrong))
    finish(code)


@app.command()
def serve(
    folder: Annotated[
        Path, typer.Option("--dir", file_okay=False, help="The folder that keeps the agents; made if there is none.")
    ],
    nats: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Keep the agents at this NATS server; the folder has the key alone."),
    ] = None,
    registry: Annotated[
        str | None, typer.Option(metavar="URL", help="The registry of programs that are named by URN.")
    ] = None,
    tools: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The MCP servers whose tools agents may call, as JSON.")
    ] = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    identity: IdentityFolder = None,
    policy: PolicyFile = None,
    threads: Annotated[int, typer.Option(min=1, max=1024, help="Turns of agents at one moment.")] = os.cpu_count() or 1,
    trace: Annotated[
        str | None, typer.Option(metavar="URL", help="Send traces to this collector, with OTLP over HTTP.")
    ] = None,
    json_log: Annotated[bool, typer.Option("--json-log", help="Write the log as a JSON object a line.")] = False,
):
    """Run agents that live for days: each event is handled once, whatever happens to this process.

    Ends with SIGINT or SIGTERM. What was begun goes on with the next start, also after `kill -9`. With `--nats`, any
    number of processes on any number of machines share the agents; their folders have the same `key`.

    With `--tools`, agents may call those tools of MCP servers that their rules name.

    Examples: `corollary serve --dir data`, then `curl --data-binary @agent.wasm http://127.0.0.1:8080/programs`;
    `corollary serve --dir data --tools tools.json`
    """
    from corollary.commands.component import needing
    from corollary.problem import Problem

    with needing():
        from corollary.runtime.serve import serve
    try:
        with needing():
            passport = passport_of(identity, policy, "runtime")
            serve(folder, nats, tools, registry, host, port, threads, passport, trace, json_log)
    except (Problem, ValueError) as problem:
        refuse(str(problem))


@app.command()
def registry(
    folder: Annotated[
        Path, typer.Option("--dir", file_okay=False, help="The folder that keeps the programs; made if there is none.")
    ],
    host: Host = "127.0.0.1",
    port: Port = 8081,
    identity: IdentityFolder = None,
    policy: PolicyFile = None,
):
    """Serve programs under names `urn:corollary:NAME:VERSION`, each of which means the same bytes for ever.

    Ends with SIGINT or SIGTERM. `corollary publish` adds to it, and `corollary serve --registry` takes from it.

    Example: `corollary registry --dir registry`
    """
    from corollary.commands.component import needing
    from corollary.problem import Problem

    with needing():
        from corollary.runtime.registry import serve
    try:
        serve(folder, host, port, passport_of(identity, policy, "registry"))
    except Problem as problem:
        refuse(str(problem))


@app.command()
def publish(
    program: ExistingFile,
    urn: Annotated[str, typer.Argument(metavar="URN", help="Its name: `urn:corollary:NAME:VERSION`.")],
    registry: Annotated[
        str, typer.Option(metavar="URL", envvar="COROLLARY_REGISTRY", help="Where `corollary registry` listens.")
    ] = "http://127.0.0.1:8081",
    identity: IdentityFolder = None,
    policy: PolicyFile = None,
    as_json: AsJson = False,
):
    """Give a WebAssembly program a name in a registry. It may be done again, but never with another program.

    Example: `corollary publish agent.wasm urn:corollary:counter:1.0`
    """
    import asyncio

    from corollary.commands.component import needing
    from corollary.commands.run import module_in

    with needing():
        from corollary.runtime.acquisition import Registry, Unresolved
        from corollary.runtime.identity import SecurityViolation
    try:
        passport = passport_of(identity, policy, "publisher")
        digest = asyncio.run(Registry(registry, passport=passport).publish(urn, module_in(program)))
    except ValueError as problem:
        refuse(str(problem))
    except (Unresolved, SecurityViolation) as problem:
        agents.fail(str(problem))
    if as_json:
        print_json({"urn": urn, "program": digest})
    else:
        typer.echo(f"{urn} is {digest}")


for command in (
    agents.ps,
    agents.suspend,
    agents.resume,
    agents.kill,
    agents.elevate,
    agents.demote,
    agents.trust,
    agents.logs,
    agents.fork,
    agents.dead,
    agents.mcp,
):
    app.command()(command)


@app.command()
def inspect(
    file: ExistingFile,
    code: Annotated[bool, typer.Option(help="Show the operations of each function, too.")] = True,
    as_json: AsJson = False,
):
    """Show what is in a WebAssembly module: imports, exports, limits, and the code that the machine runs.

    Examples: `corollary inspect agent.wasm`, `corollary inspect agent.wasm --no-code`
    """
    from corollary import LimitExceeded, Refused
    from corollary.commands.run import module_in
    from corollary.inspection import as_data, describe

    try:
        if as_json:
            print_json(as_data(module_in(file), code))
            return
        for line in describe(module_in(file), code):
            typer.echo(line)
    except (Refused, LimitExceeded) as refused:
        typer.echo(f"{type(refused).__name__}: {refused}", err=True)
        finish(FAILED)


# ---- options


def passport_of(identity, policy, name):
    """Return what a workload shows and obeys, or None without a folder for it; raises `SecurityViolation`."""
    from corollary.runtime.authority import source_of
    from corollary.runtime.identity import Passport, Policy, policy_in

    if identity is None:
        if policy is not None:
            refuse("--policy needs --identity")
        return None
    return Passport(source_of(identity, name), policy_in(policy) if policy else Policy())


def key_of(text, file=None):
    """Return a key from its hexadecimal digits, or from a file with them; None if there is neither."""
    if file:
        with file.open("rb") as stream:
            data = stream.read(LONGEST_KEY_FILE + 1)
        text = data.decode("ascii", "replace").strip() if len(data) <= LONGEST_KEY_FILE else ""
    elif not text:
        return None
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_SIZE:
        refuse(
            f"{file} does not have the {2 * KEY_SIZE} hexadecimal digits of a key"
            if file
            else f"--key takes {2 * KEY_SIZE} hexadecimal digits"
        )
    return key


def read_seal(path):
    """Return a checkpoint from a file."""
    from corollary.record.witness_log import SEAL

    with path.open("rb") as file:
        data = file.read(SEAL + 1)
    if len(data) != SEAL:
        refuse(f"--seal takes a file of {SEAL} bytes; {path} has {len(data) if len(data) < SEAL else 'more'}")
    return data


def member(enumeration, name):
    """Return an enumerator of the vocabulary by name."""
    import corollary.spec.kernel.vocabulary

    if not name:
        return None
    type_ = getattr(corollary.spec.kernel.vocabulary, enumeration)
    if name.upper() not in type_.__members__:
        refuse_unknown(name, type_.__members__)
    return type_[name.upper()]


def refuse_unknown(name, known):
    """Say that there is no such name, and which names are close to it."""
    import difflib

    close = {known_.upper(): known_ for known_ in known}
    near = [close[found] for found in difflib.get_close_matches(name.upper(), close, 4)]
    refuse(f"{name} is unknown" + (f"; did you mean {', '.join(near)}?" if near else ""))


def named_value(text):
    """Return `page=100` or `100` as a name (which may be empty) and a number; None for no text."""
    if not text:
        return None
    from corollary.record.audit import ARGUMENTS

    name, equals, number = text.rpartition("=")
    if equals and name not in ARGUMENTS:
        refuse_unknown(name, ARGUMENTS)
    try:
        return name, int(number, 0)
    except ValueError:
        refuse("--object takes VALUE or NAME=VALUE, with a number as value")


def nanoseconds(option, seconds):
    """Return a time in seconds as nanoseconds, as in records; None stays None."""
    if seconds is None:
        return None
    from corollary.spec.kernel.limits import CLOCK_LIMIT, SECOND

    if not 0 <= seconds <= CLOCK_LIMIT / SECOND:
        refuse(
            f"{option} takes seconds since the machine was switched on, 0 or more, as a clock may count; not {seconds}"
        )
    return round(seconds * SECOND)


def known_partition(number):
    """Return the number of a partition, or the number that stands for the kernel; refuse any other."""
    from corollary.spec.kernel.limits import PARTITIONS
    from corollary.spec.kernel.witness import KERNEL_ACTOR

    if number is not None and number != KERNEL_ACTOR and not 0 <= number < PARTITIONS:
        refuse(f"--partition takes 0 to {PARTITIONS - 1}, or {KERNEL_ACTOR} for the kernel; not {number}")
    return number


def number_of_records(text):
    """Return a number of records, or None for `any`."""
    if text == "any":
        return None
    from corollary.spec.kernel.witness import SEQUENCE_LIMIT

    if not (text.isascii() and text.isdigit() and len(text) <= len(str(SEQUENCE_LIMIT))):
        refuse(f"--unsealed-tail takes a number of records, or `any`; not {text}")
    return int(text)


if __name__ == "__main__":
    from corollary.commands.start import ended

    sys.exit(ended(app))
