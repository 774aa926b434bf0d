"""What does the bank promise? Its state, what always holds of it, what each operation does, and who sees what."""

from corollary.language.builtins import implies
from corollary.language.observation import Interference, Observation, Released, View
from corollary.language.property import conserved, ensures, invariant, succeeds, theorem
from corollary.language.types import Enum, Index, Table, u32
from corollary.language.values import Record

ACCOUNTS = 10
MONEY = 1_000_000  # all there is
LIMIT = 100_000  # the most that one account holds, besides the vault
AccountId = Index("AccountId", ACCOUNTS)
VAULT = AccountId(0)  # what nobody has


class Status(Enum):
    """What an operation answers."""

    OK = 0
    CLOSED = 1  # an account is not open
    TOO_MUCH = 2  # there is not enough, or no room for it


class Account(Record):
    """A counter that can be opened."""

    open: bool
    balance: u32


class Bank(Record):
    """All accounts."""

    account: Table[AccountId, Account]


@conserved("BANK-1", "no money is made or lost", total=MONEY)
def held(s: Bank, a: AccountId) -> u32:
    return s.account[a].balance


@invariant("BANK-2", "no account holds more than the limit")
def is_limited(s: Bank, a: AccountId) -> bool:
    return implies(a != VAULT, s.account[a].balance <= LIMIT)


@invariant("BANK-3", "an account that is closed holds nothing")
def closed_is_empty(s: Bank, a: AccountId) -> bool:
    return implies(a != VAULT and not s.account[a].open, s.account[a].balance == 0)


@invariant("BANK-4", "the vault is nobody's account")
def vault_is_closed(s: Bank) -> bool:
    return not s.account[VAULT].open


@theorem("BANK-5", "an amount is too much only where the account is open", about=("deposit", "transfer"))
def is_open_to_it(before: Bank, after: Bank, status: Status, to: AccountId) -> bool:
    return implies(status == Status.TOO_MUCH, before.account[to].open)


@theorem("BANK-6", "it costs nothing to open an account", about=("open_account",))
def costs_nothing(before: Bank, after: Bank, status: Status) -> bool:
    return status != Status.TOO_MUCH


def can_take(s: Bank, to: AccountId, amount: u32) -> bool:
    return s.account[to].open and amount <= LIMIT and s.account[to].balance + amount <= LIMIT


@succeeds("open_account")
def may_open(before: Bank, a: AccountId) -> bool:
    return a != VAULT and not before.account[a].open


@ensures("open_account", "the account is open", changes=("account.open",))
def is_opened(before: Bank, after: Bank, a: AccountId, i: AccountId) -> bool:
    return after.account[i].open == (before.account[i].open or i == a)


@succeeds("deposit")
def may_deposit(before: Bank, to: AccountId, amount: u32) -> bool:
    return amount <= before.account[VAULT].balance and can_take(before, to, amount)


@ensures("deposit", "the amount moves from the vault to the account", changes=("account.balance",))
def is_deposited(before: Bank, after: Bank, to: AccountId, amount: u32, i: AccountId) -> bool:
    return moved(before, after, VAULT, to, amount, i)


@succeeds("transfer")
def may_transfer(before: Bank, source: AccountId, to: AccountId, amount: u32) -> bool:
    has = before.account[source].open and amount <= before.account[source].balance
    return has and source != to and can_take(before, to, amount)


@ensures("transfer", "the amount moves from one account to the other", changes=("account.balance",))
def is_transferred(before: Bank, after: Bank, source: AccountId, to: AccountId, amount: u32, i: AccountId) -> bool:
    return moved(before, after, source, to, amount, i)


def moved(before: Bank, after: Bank, source: AccountId, to: AccountId, amount: u32, i: AccountId) -> bool:
    if i == source:
        return after.account[i].balance == before.account[i].balance - amount
    return after.account[i].balance == (before.account[i].balance + amount if i == to else before.account[i].balance)


def sees_all(s: Bank, p: AccountId, a: AccountId) -> bool:
    return True


def sees_own(s: Bank, p: AccountId, a: AccountId) -> bool:
    return p == a


def is_held(s: Bank, p: AccountId) -> bool:
    return s.account[p].open


def opens(before: Bank, after: Bank, p: AccountId, a: AccountId) -> bool:
    return after.account[a].open and not before.account[a].open


def has_funds(s: Bank, amount: u32) -> bool:
    return amount <= s.account[VAULT].balance


VIEW = View(
    observations=(Observation("account", sees_all, ("open",)), Observation("account", sees_own, ("balance",))),
    released=(
        Released("room", can_take, "who pays learns whether the other can take it", about=("transfer",)),
        Released("funds", has_funds, "who is paid learns whether the vault has as much", about=("deposit",)),
    ),
    interferences=(Interference("opened", "account", ("open",), opens, "all may know which accounts there are"),),
    exists=is_held,
)
