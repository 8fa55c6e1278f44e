"""A policy's answer that breaks a rule stops the run, and the fault names policy, seat, game and rule."""

import re

from sim.desk import WROTE_RECORDS
from sim.game import load_game
from tests.games.every import every_case, every_game
from tests.games.kit import Kit
from tests.games.stage import SEED


@every_case("name", lambda kit: kit.breaches)
def test_a_broken_rule_is_named_and_the_legal_answer_passes(kit: Kit, name: str) -> None:
    breach = kit.breaches[name]
    assert breach.fault(None, False) is None
    for number in breach.numbers:
        fault = breach.fault(number, False)
        assert fault is not None, number
        assert str(fault).startswith(f"policy 'scripted' ({breach.where}, seed {SEED}): ")
        assert re.search(breach.says, str(fault)), fault


@every_case("name", lambda kit: kit.breaches)
def test_the_packages_own_policies_are_judged_as_strictly(kit: Kit, name: str) -> None:
    breach = kit.breaches[name]
    assert breach.fault(None, True) is None
    assert re.search(breach.says, str(breach.fault(breach.numbers[0], True)))


@every_game
def test_every_sentence_is_said_in_some_case(kit: Kit) -> None:
    """What it says is taken literally, with any number for those it names; writing records is another test's."""
    said = [str(breach.fault(breach.numbers[0], False)) for breach in kit.breaches.values()]
    for rule, sentence in load_game(kit.game).sentences.items():
        if rule == WROTE_RECORDS:
            continue
        pattern = re.sub(r"\\{[^}]*\\}", "[-0-9.a-z]+", re.escape(sentence))
        assert any(re.search(pattern, text) for text in said), sentence
