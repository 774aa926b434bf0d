"""What is the placement component: its state, its operations, and how it begins?"""

from corollary.language.component import Component
from corollary.model.placement import promises  # whoever asks for the component gets all of them
from corollary.model.placement.advice import (
    begin_epoch,
    conclude,
    consider_merge,
    consider_move,
    consider_split,
    recommend,
    set_recovery,
)
from corollary.model.placement.cut import begin_cut, close_phase, give_up_cut, join_entry, load_row, take_vertex
from corollary.model.placement.graph import (
    add_couple_row,
    add_node,
    begin,
    couple_homes,
    rehome_node,
    remove_node,
    score_home,
    set_weight,
    survey_node,
)
from corollary.spec.placement.graph import quotient
from corollary.spec.placement.state import Placement

__all__ = ("PLACEMENT", "promises")

PLACEMENT = Component(
    state=Placement,
    boot=begin,
    named=(quotient,),
    operations=(
        add_node,
        remove_node,
        rehome_node,
        set_weight,
        survey_node,
        score_home,
        couple_homes,
        add_couple_row,
        begin_cut,
        load_row,
        take_vertex,
        join_entry,
        close_phase,
        give_up_cut,
        begin_epoch,
        set_recovery,
        consider_move,
        consider_merge,
        consider_split,
        recommend,
        conclude,
    ),
)
