"""Which small changes of a prover's source make it prove less than it says? One mutation operator for each kind.

Each operator yields `(node, replacement text)` for a node of the syntax tree. Code that only makes messages, names or
an order is left alone.
"""

import ast
from typing import Any

TELLING = frozenset(
    """
abandon accessed add add_facts alone allowed apart assume clear confirm drop equal forget havoc hear inside
leave_anything must note nothing_left obey oblige own promised prove tell told update
""".split()
)
"""Functions that are called to check, record, assume or forget something, not for their result."""
RECORDS = frozenset(("goals", "obligations", "conditions", "facts", "known", "premises", "unknowns"))
COMPARING = {"equal": 0, "less": 0, "less_signed": 0, "same": 0, "ULT": 0, "ULE": 0, "UGE": 0, "UGT": 0, "compare": 1}
"""Functions that compare two words, and the position of the first word."""
EQUALITIES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)
ANSWERS = {"unsat": "sat", "sat": "unsat"}
QUESTIONS = frozenset("Is Are May Does Do Has Have Can Must Was Were".split())
"""How the docstring of a function begins that answers yes or no."""
UNTOUCHED = (ast.Raise, ast.JoinedStr, ast.arguments, ast.Assert)
JOINING = frozenset(("conjoin", "disjoin", "And", "Or"))
BOUNDARIES = {ast.Lt: ast.LtE(), ast.LtE: ast.Lt(), ast.Gt: ast.GtE(), ast.GtE: ast.Gt()}
BEYOND = {"ULT": "ULE", "ULE": "ULT", "UGT": "UGE", "UGE": "UGT"}
PASS = "pass"
ASIDE = frozenset(("anchor", "figures", "hint_at_few", "hint_at_rows", "is_small", "main", "narrate", "summarize"))
"""Functions whose mistakes make no proof wrong.

They show something, choose what is tried first, or choose one of two ways that are both right.
"""


def called(node):
    """Return the last name of the function that a call calls; empty for other nodes."""
    return last_name(node.func) if isinstance(node, ast.Call) else ""


def last_name(node):
    """Return the last part of a dotted name; empty for other nodes."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def but(items, position):
    """Return a list without the item at a position."""
    return [*items[:position], *items[position + 1 :]]


def like(node, **parts):
    """Return the text of a node with some parts replaced."""
    return ast.unparse(type(node)(**{**{name: getattr(node, name, None) for name in node._fields}, **parts}))


def call_left_out(node, function):
    """Leave out a call that checks, records, assumes or forgets something."""
    if isinstance(node, ast.Expr) and called(node.value) in TELLING:
        yield node, PASS


def obligation_not_recorded(node: Any, function):
    """Do not record something that must be proved or is known."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield) and isinstance(node.value.value, ast.Tuple):
        yield node, PASS
    if isinstance(node, ast.Expr) and called(node.value) in ("append", "extend"):
        call: Any = node.value
        if last_name(call.func.value) in RECORDS:
            yield node, PASS
    if isinstance(node, ast.AugAssign) and last_name(node.target) in RECORDS:
        yield node, PASS


def refusal_dropped(node, function):
    """Pass over something that is not allowed."""
    if isinstance(node, ast.If):
        for body in (node.body, node.orelse):
            if len(body) == 1 and isinstance(body[0], ast.Raise):
                yield body[0], PASS


def compared_with_itself(node, function):
    """Compare a word with itself."""
    first = COMPARING.get(called(node))
    starred = first is not None and any(isinstance(each, ast.Starred) for each in node.args)
    if first is not None and not starred and len(node.args) > first + 1:
        yield node, like(node, args=[*node.args[: first + 1], node.args[first], *node.args[first + 2 :]])
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], EQUALITIES):
        other = node.comparators[0]
        if not isinstance(other, ast.Constant) and last_name(other) not in (*ANSWERS, "unknown"):
            yield node, like(node, comparators=[node.left])


def condition_negated(node: Any, function):
    """Take the other branch."""
    alone = [node.test] if isinstance(node, (ast.If, ast.IfExp)) else []
    test: Any
    for test in node.ifs if isinstance(node, ast.comprehension) else alone:
        is_negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        yield test, f"({ast.unparse(test.operand)})" if is_negated else f"(not ({ast.unparse(test)}))"


def part_of_condition_dropped(node, function):
    """Leave out one of several conditions."""
    if isinstance(node, ast.BoolOp):
        for position in range(len(node.values)):
            rest = but(node.values, position)
            yield node, f"({ast.unparse(rest[0]) if len(rest) == 1 else like(node, values=rest)})"


def element_dropped(node, function):
    """Forget one of several names, goals or entries."""
    if isinstance(node, (ast.List, ast.Set)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        yield from shorter(node)
    if isinstance(node, ast.Assign) and not function and isinstance(node.targets[0], ast.Name):
        yield from shorter(node.value) if isinstance(node.value, ast.Tuple) else ()
    if isinstance(node, ast.Dict) and len(node.keys) > 1 and not function:
        for position in range(len(node.keys)):
            yield node, like(node, keys=but(node.keys, position), values=but(node.values, position))
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        if isinstance(node.comparators[0], ast.Tuple):
            yield from shorter(node.comparators[0])


def shorter(node):
    """Yield a list, set or tuple of several elements, each time without one of them."""
    for position in range(len(node.elts)) if len(node.elts) > 1 else ():
        yield node, like(node, elts=but(node.elts, position))


def part_of_formula_dropped(node, function):
    """Forget one of the formulas that are joined."""
    if called(node) in JOINING and len(node.args) > 1:
        for position in range(len(node.args)):
            yield node, like(node, args=but(node.args, position))


def answer_confused(node, function):
    """Count an answer of the solver that is neither sat nor unsat as one of them."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and last_name(node.comparators[0]) in ANSWERS:
        other = ast.parse(f"z3.{ANSWERS[last_name(node.comparators[0])]}", mode="eval").body
        flipped = ast.NotEq() if isinstance(node.ops[0], ast.Eq) else ast.Eq()
        yield node, like(node, ops=[flipped], comparators=[other])


def quantifier_swapped(node, function):
    """Ask for one where all are needed, or the other way round."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("all", "any"):
        yield node.func, "any" if node.func.id == "all" else "all"


def predicate_constant(node, function):
    """Always give the same answer to a question."""
    if isinstance(node, ast.Return) and is_question(function):
        if not isinstance(node.value, (ast.Constant, type(None))):
            yield from ((node.value, text) for text in ("True", "False"))


def is_question(function):
    """Does the docstring say that the function answers yes or no?"""
    said = ast.get_docstring(function) if isinstance(function, ast.FunctionDef) else None
    return bool(said) and said.split()[0] in QUESTIONS and said.splitlines()[0].endswith("?")


def boundary_moved(node: Any, function):
    """Move a bound by one."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in BOUNDARIES:
        yield node, like(node, ops=[BOUNDARIES[type(node.ops[0])]])
    if isinstance(node, ast.Call) and called(node) in BEYOND and isinstance(node.func, ast.Attribute):
        yield node.func, f"z3.{BEYOND[called(node)]}"


def argument_left_out_of_key(node, function):
    """Leave a part out of a key."""
    if called(node) == "digest" and len(node.args) > 1:
        yield from ((node, like(node, args=but(node.args, position))) for position in range(len(node.args)))
    if isinstance(node, ast.Assign) and last_name(node.targets[0]) == "key" and isinstance(node.value, ast.Tuple):
        yield from shorter(node.value)


OPERATORS = (
    call_left_out,
    obligation_not_recorded,
    refusal_dropped,
    compared_with_itself,
    condition_negated,
    part_of_condition_dropped,
    element_dropped,
    part_of_formula_dropped,
    answer_confused,
    quantifier_swapped,
    predicate_constant,
    boundary_moved,
    argument_left_out_of_key,
)


def changes(tree):
    """Yield `(dotted name of the function, name of the operator, node, replacement text)` for a module."""
    yield from inside(tree, "", None)


def inside(node, name, function):
    """Yield the changes of a node and of everything inside it, within a function."""
    for operator in OPERATORS:
        for old, new in operator(node, function):
            yield name, operator.__name__.replace("_", " "), old, new
    for child in ast.iter_child_nodes(node):
        if isinstance(child, UNTOUCHED) or is_decoration(child, node) or is_aside(child):
            continue
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            within = child if isinstance(child, ast.FunctionDef) else function
            yield from inside(child, f"{name}.{child.name}".lstrip("."), within)
        else:
            yield from inside(child, name, function)


def is_decoration(child, node):
    """Is the node a decorator, an annotation or a text that stands alone?"""
    aside = [*getattr(node, "decorator_list", ()), getattr(node, "returns", None), getattr(node, "annotation", None)]
    return any(child is each for each in aside) or isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)


def is_aside(node):
    """Is the node a function outside all proofs, or the code that runs a module as a program?"""
    if isinstance(node, ast.FunctionDef):
        return node.name in ASIDE
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
