"""What do the operations of the bank do?"""

from corollary.language.types import u32

from .spec import LIMIT, MONEY, VAULT, AccountId, Bank, Status


def begin(s: Bank) -> None:
    """Put all money into the vault."""
    s.account[VAULT].balance = MONEY


def open_account(s: Bank, a: AccountId) -> Status:
    """Open an account."""
    if a == VAULT or s.account[a].open:
        return Status.CLOSED
    s.account[a].open = True
    return Status.OK


def deposit(s: Bank, to: AccountId, amount: u32) -> Status:
    """Move an amount from the vault to an account."""
    if not s.account[to].open:
        return Status.CLOSED
    if amount > s.account[VAULT].balance or amount > LIMIT - s.account[to].balance:
        return Status.TOO_MUCH
    s.account[VAULT].balance -= amount
    s.account[to].balance += amount
    return Status.OK


def transfer(s: Bank, source: AccountId, to: AccountId, amount: u32) -> Status:
    """Move an amount from one account to another."""
    if not s.account[source].open or not s.account[to].open or source == to:
        return Status.CLOSED
    if amount > s.account[source].balance or amount > LIMIT - s.account[to].balance:
        return Status.TOO_MUCH
    s.account[source].balance -= amount
    s.account[to].balance += amount
    return Status.OK
