"""Runs: duplicate deals, rotated seats, the same games anywhere, exactly half of the wins against oneself."""

import json
from pathlib import Path

import pytest

from tests.arena.runs import settings, timeless, untimed
from tilerummy.arena import (
    BadSettings,
    DealResult,
    Hypotheses,
    RunFile,
    Settings,
    contest,
    on_ray,
    play_deal,
    processes,
    read_seats,
    round_robin,
    seated,
    sequential,
)
from tilerummy.arena.settings import rotations
from tilerummy.rulesets import RULESETS, ruleset

MIXED = "random,novice,greedy"
HOPELESS = ruleset("club", {"rearranging": "adding"})
"""To tell whether somebody is stuck may take for ever with these joker rules, and the club's round ends with that."""


def test_a_deal_is_the_same_in_every_rotation() -> None:
    run = settings("a=random,b=novice,c=greedy")
    result = play_deal(run, 3, 0)
    assert [game.lineup for game in result.games] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert len({tuple(sizes[0] for sizes in game.sizes) for game in result.games}) == 1
    same = play_deal(settings("a=greedy,b=greedy,c=greedy"), 3, 0)
    assert len({(game.scores, game.places, game.sizes) for game in same.games}) == 1


def test_rotations_that_look_the_same_are_played_once() -> None:
    assert rotations((0, 0)) == ((0, 0),)
    assert rotations((0, 1, 0, 1)) == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert len(rotations((0, 1, 1, 1))) == 4
    assert settings("greedy,random,greedy,random", 1000, rules="classic").deals == 500
    assert settings("greedy,random,novice", 1000).deals == 334


@pytest.mark.parametrize("rules", RULESETS)
def test_each_ruleset_is_played_to_its_end(rules: str) -> None:
    report = contest(settings(MIXED, 3, rules=rules)).report()
    assert (report.games, report.deals, report.errors) == (3, 1, ())
    assert sum(one.wins for one in report.bots) == 3
    assert [one.par for one in report.bots] == [1 / 3] * 3
    if rules != "junior":
        assert sum(one.score.value for one in report.bots) == pytest.approx(0)


@pytest.mark.parametrize(("seats", "rules"), [("a=novice,b=novice", "sabra"), ("a=random,b=random,c=random", "junior")])
def test_against_itself_a_bot_wins_exactly_its_share(seats: str, rules: str) -> None:
    run = settings(seats, 6, rules=rules)
    report = contest(run).report()
    for one in report.bots:
        assert one.win_rate.value == pytest.approx(1 / run.players, abs=1e-12)
        assert one.wins == report.games / run.players
        assert one.elo.value == pytest.approx(0, abs=1e-9)
    if run.players == 2:
        assert [one.win_rate.value for one in report.bots] == [0.5] * 2


def test_the_same_seed_is_the_same_run_in_any_number_of_processes() -> None:
    run = settings(MIXED, 6)
    alone = timeless(run)
    assert timeless(run, processes(1)) == alone
    assert timeless(run, processes(2)) == alone
    assert timeless(settings(MIXED, 6, seed=8)) != alone


def test_a_ray_cluster_plays_the_same() -> None:
    run = settings(MIXED, 6)
    assert timeless(run, on_ray("local", 1)) == timeless(run)


def test_no_cluster_there() -> None:
    with pytest.raises(BadSettings, match="ray: no cluster at"):
        contest(settings("random,novice"), engine=on_ray("not an address"))


def test_nobody_answers_there() -> None:
    for address in ("127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:port"):
        with pytest.raises(BadSettings, match=r"^ray: "):
            on_ray(address)


def test_deals_of_a_longer_run_are_those_of_a_shorter_one() -> None:
    long, short = settings(MIXED, 9), settings(MIXED, 3)
    assert untimed(play_deal(long, 0, 0)) == untimed(play_deal(short, 0, 0))


# Going on with an interrupted run


def kept(path: Path, run: Settings, deals: int) -> Path:
    """The file of a run that was interrupted after so many deals."""

    class Enough(Exception):
        pass

    with RunFile.begin(path, run) as file:

        def keep(result: DealResult) -> None:
            file.add(result)
            if result.deal + 1 == deals:
                raise Enough

        with pytest.raises(Enough):
            contest(run, keep=keep)
    return path


def resumed(path: Path) -> dict[str, object]:
    with RunFile.resume(path) as file:
        return timeless(file.settings, earlier=file.earlier, keep=file.add)


def test_a_resumed_run_is_the_same_as_one_without_a_break(tmp_path: Path) -> None:
    run = settings("random,novice", 8, rules="junior")
    whole = timeless(run)
    for number, torn in enumerate(("", '{"deal":3,"lineup":0,"games":[{"li', '{"deal":3}\n', "\x00\x00\n")):
        path = kept(tmp_path / f"{number}.jsonl", run, 3)
        with path.open("a") as file:
            file.write(torn)
        assert resumed(path) == whole
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert [line["deal"] for line in lines[1:]] == [0, 1, 2, 3]
        before = path.read_bytes()
        assert resumed(path) == whole
        assert path.read_bytes() == before


def test_a_file_that_is_none_is_left_alone(tmp_path: Path) -> None:
    run = settings("random,novice", 8, rules="junior")
    path = kept(tmp_path / "run.jsonl", run, 3)
    head, first, *rest = path.read_text().splitlines(keepends=True)
    for written, wrong in (
        ("", "no file of a run"),
        ("{}\n", "no file of a run"),
        (head.rstrip("\n"), "no file of a run"),
        (head.replace('"version":"', '"version":"0'), "version"),
        (head + "[]\n" + first, "line 2"),
        (head + first + first.replace('"places":[', '"places":[1,') + "".join(rest), "line 3"),
    ):
        path.write_text(written)
        with pytest.raises(BadSettings, match=wrong):
            RunFile.resume(path)
        assert path.read_text() == written
    with pytest.raises(BadSettings, match="is there already"):
        RunFile.begin(path, run)


def test_the_test_is_kept_with_the_run(tmp_path: Path) -> None:
    run = settings("random,novice", 4, rules="junior")
    test = Hypotheses(-10.0, 25.5, 0.1, 0.2)
    with RunFile.begin(tmp_path / "tested", run, test) as file:
        file.add(play_deal(run, 0, 0))
    with RunFile.resume(tmp_path / "tested") as file:
        assert (file.head.test, file.head.known, len(file.earlier)) == (test, True, 1)
    with RunFile.begin(tmp_path / "untested", run):
        pass
    with RunFile.resume(tmp_path / "untested") as file:
        assert (file.head.test, file.head.known) == (None, True)
    head = json.loads((tmp_path / "untested").read_text())
    del head["sprt"]
    (tmp_path / "of old").write_text(json.dumps(head) + "\n")
    with RunFile.resume(tmp_path / "of old") as file:
        assert (file.settings, file.head.test, file.head.known) == (run, None, False)


def test_a_file_has_one_writer(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    run = settings("random,novice", 4, rules="junior")
    with RunFile.begin(path, run), pytest.raises(BadSettings, match=r"^resume: another run is writing to "):
        RunFile.resume(path)
    with RunFile.resume(path) as file:
        with pytest.raises(BadSettings, match=r"^resume: another run is writing to "):
            RunFile.resume(path)
        file.add(play_deal(run, 0, 0))
    with RunFile.resume(path) as file:
        assert len(file.earlier) == 1
    assert [one.name for one in tmp_path.iterdir()] == ["run.jsonl"]


def test_a_run_that_could_not_begin_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    run = settings("random,novice", 4, rules="junior")
    with pytest.raises(BadSettings), RunFile.begin(path, run):
        raise BadSettings("ray", "no cluster")
    assert not path.exists()
    deal = play_deal(run, 0, 0)

    def broken(file: RunFile) -> None:
        file.add(deal)
        raise BadSettings("workers", "ended from outside")

    with pytest.raises(BadSettings), RunFile.begin(path, run) as file:
        broken(file)
    assert len(path.read_text().splitlines()) == 2


def test_a_head_with_what_there_is_not_is_none(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with RunFile.begin(path, settings("random,novice", 4)):
        pass
    head = path.read_text()
    for wrong in (
        head.replace('"bot":"random"', '"bot":"nobody"'),
        head.replace('"name":"random"', '"name":"\\u001b[31m"'),
        head.replace('"sprt":null', '"sprt":{"elo0":1}'),
    ):
        assert wrong != head
        path.write_text(wrong)
        with pytest.raises(BadSettings, match="is no file of a run"):
            RunFile.resume(path)


# Round-robin and the sequential test


def test_everybody_meets_everybody() -> None:
    entrants, lineups = round_robin(read_seats("random,novice,greedy", 20))
    run = Settings(entrants, lineups, 6, 7, ruleset("sabra"))
    report = contest(run).report()
    assert (report.deals, report.games) == (3, 18)
    assert [(pair.one, pair.other, pair.games) for pair in report.pairs] == [
        ("random", "novice", 6),
        ("random", "greedy", 6),
        ("novice", "greedy", 6),
    ]
    elos = [one.elo.value for one in report.bots]
    assert elos == sorted(elos)
    assert sum(elos) == pytest.approx(0)
    assert len(round_robin(read_seats("random,novice,greedy,points"), 3)[1]) == 4


def test_a_test_stops_the_run_at_the_same_deal_everywhere() -> None:
    run = settings("greedy,random", 400)

    def outcome(workers: int) -> object:
        test = sequential(run, 0, 200)
        engine = processes(workers) if workers else None
        return timeless(run, sprt=test, **({"engine": engine} if engine else {}))["sprt"]

    alone = outcome(0)
    assert isinstance(alone, dict)
    assert alone["verdict"] == "H1"
    assert 5 <= alone["deals"] < 30
    assert outcome(2) == alone


def test_what_cannot_be_played_names_its_field() -> None:
    for wrong, field in (
        (lambda: settings("greedy"), "seats"),
        (lambda: settings("greedy,random,novice,random,greedy"), "seats"),
        (lambda: Settings(*seated(read_seats("greedy,random")), rules=HOPELESS), "house.stalemate"),
        (lambda: settings("greedy,random", 0), "games"),
        (lambda: settings("greedy,random", seed=-1), "seed"),
        (lambda: settings("greedy,random", move_time=0.0), "move-time"),
        (lambda: settings("greedy,random", move_time=float("nan")), "move-time"),
        (lambda: settings("expert:0,random"), "budget"),
        (lambda: settings("expert:x,random"), "seats"),
        (lambda: settings("greedy:500,random"), "seats"),
        (lambda: settings("mine=keeper:500,random"), "seats"),
        (lambda: settings("a=greedy,a=random"), "seats"),
        (lambda: settings("cmd:,random"), "seats"),
        (lambda: settings("cmd:'x,random"), "seats"),
        (lambda: settings("nobody,random"), "seats"),
        (lambda: settings('"greedy,random'), "seats"),
        (lambda: settings("b ö=greedy,random"), "seats"),
        (lambda: settings(",".join(["greedy"] * 99)), "seats"),
        (lambda: round_robin(read_seats("greedy,greedy")), "players"),
        (lambda: sequential(settings(MIXED), 0, 10), "sprt"),
        (lambda: sequential(settings("greedy,random"), 10, 10), "sprt"),
        (lambda: sequential(settings("greedy,random"), 0, 10, alpha=0), "alpha"),
    ):
        with pytest.raises(BadSettings) as error:
            wrong()
        assert error.value.field == field
