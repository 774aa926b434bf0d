"""What is the bank: which state does it have, and what may be asked of it?"""

from corollary.language.component import Component

from .model import begin, deposit, open_account, transfer
from .spec import VIEW, AccountId, Bank

COMPONENT = Component(state=Bank, boot=begin, operations=(open_account, deposit, transfer), actor=AccountId, view=VIEW)
