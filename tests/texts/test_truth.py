"""The sentences that the page is held to are the program's own."""

from tests.kit.sentences import FILE, written


def test_the_sentences_are_current() -> None:
    assert FILE.read_text("utf-8").splitlines() == written().splitlines(), "python -m tests.kit.sentences"
