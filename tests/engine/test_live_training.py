"""A training that is watched: never two at once, stopped when it should, and the loop free in between."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace

import matplotlib
import matplotlib.pyplot as plt
import pytest
import torch
from ipywidgets import Dropdown, IntSlider

from utils import live_training
from utils.live_training import LiveTraining, Paced, Turns
from utils.models import mlp
from utils.training import Trainer

matplotlib.use("Agg")


class Counter:
    """Something to train that is done after so many slices, and fails where it is told to."""

    def __init__(self, slices: int = 10, fails_at: int | None = None) -> None:
        self.ran, self.slices, self.fails_at = 0, slices, fails_at

    @property
    def done(self) -> bool:
        return self.ran >= self.slices

    def run(self, *, seconds: float) -> None:
        self.ran += 1
        if self.ran == self.fails_at:
            raise RuntimeError("no <luck>")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """No page answers in these tests, but where they say so; whoever is not answered goes on soon."""
    monkeypatch.setattr(live_training, "PATIENCE", 0.005)
    monkeypatch.setattr(LiveTraining, "_training", None)
    yield
    plt.close("all")


def watched(make=None, draw=None, **more) -> SimpleNamespace:
    """Return a live training of counters, all that it made, what it drew, and its slider."""
    made, drawn = [], []

    def make_counter(slices, **_):
        made.append((make or Counter)(slices))
        return made[-1]

    def draw_counter(trained, slices, **_):
        drawn.append((trained, trained.ran))
        if draw:
            draw(trained)
        return plt.figure(figsize=(1, 1)), f"{trained.ran} of {slices}"

    slider = IntSlider(10, 1, 1000, description="slices")
    live = LiveTraining(make_counter, draw_counter, slices=slider, **more)
    return SimpleNamespace(live=live, made=made, drawn=drawn, slider=slider, words=live._picture.sentence)


async def until(condition, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.001)


def test_it_shows_the_beginning_then_every_slice_and_ends_by_itself():
    async def story():
        one = watched()
        assert one.drawn == [(one.made[0], 0)] and not one.live.training
        one.live.start_button.click()
        assert one.live.training and one.live.start_button.disabled and not one.live.stop_button.disabled
        await until(lambda: not one.live.training)
        assert [ran for _, ran in one.drawn] == list(range(11)) and one.words.value == "10 of 10"
        assert not one.live.start_button.disabled and one.live.stop_button.disabled

    asyncio.run(story())


def test_a_second_start_does_not_double_it():
    async def story():
        one = watched()
        for _ in range(5):
            one.live.start()
        await until(lambda: not one.live.training)
        await asyncio.sleep(0.05)
        assert [ran for _, ran in one.drawn] == list(range(11))

    asyncio.run(story())


def test_stopped_it_goes_on_from_there_and_after_its_end_anew():
    async def story():
        one = watched()
        one.live.start()
        await until(lambda: len(one.drawn) > 3)
        one.live.stop_button.click()
        trained, seen = one.live.trained, list(one.drawn)
        await asyncio.sleep(0.05)
        assert one.drawn == seen and not one.live.training
        one.live.start()
        await until(lambda: not one.live.training)
        assert [ran for _, ran in one.drawn] == list(range(11)) and one.live.trained is trained
        one.live.start()
        assert one.live.trained is not trained and one.drawn[-1] == (one.live.trained, 0)
        await until(lambda: not one.live.training)
        assert one.live.trained.ran == 10

    asyncio.run(story())


def test_a_new_choice_while_training_drops_the_old_one_and_trains_on():
    async def story():
        one = watched()
        one.slider.value = 500
        one.live.start()
        await until(lambda: len(one.drawn) > 3)
        old, at = one.live.trained, one.live.trained.ran
        for slices in (400, 300, 20):
            one.slider.value = slices
        assert one.live.training and one.drawn[-1] == (one.live.trained, 0)
        await until(lambda: not one.live.training)
        assert old.ran == at and one.live.trained.ran == 20 and one.words.value == "20 of 20"
        assert [trained.ran for trained in one.made[-3:-1]] == [0, 0]

    asyncio.run(story())


def test_a_new_choice_while_stopped_is_shown_and_not_trained():
    async def story():
        one = watched()
        one.slider.value = 7
        assert one.words.value == "0 of 7"
        await asyncio.sleep(0.05)
        assert one.words.value == "0 of 7" and not one.live.training

    asyncio.run(story())


@pytest.mark.parametrize("fault", ["make", "train", "draw"])
def test_an_error_ends_it_and_is_shown(fault):
    async def story():
        faults = {"on": False}

        def failing(what):
            if faults["on"] and what == fault:
                raise RuntimeError("no <luck>")

        class Failing(Counter):
            def __init__(self, slices):
                failing("make")
                super().__init__(slices)

            def run(self, *, seconds):
                failing("train")
                super().run(seconds=seconds)

        one = watched(Failing, draw=lambda trained: failing("draw"))
        one.live.start()
        await until(lambda: len(one.drawn) > 3)
        image, faults["on"] = one.live._picture.image.value, True
        if fault == "make":
            one.slider.value = 11
        await until(lambda: not one.live.training)
        assert "RuntimeError: no &lt;luck&gt;" in one.words.value and not one.live.start_button.disabled
        assert one.live._picture.image.value == image
        faults["on"] = False
        one.live.start()
        await until(lambda: not one.live.training)
        assert one.words.value == f"{one.slider.value} of {one.slider.value}"

    asyncio.run(story())


def test_an_error_before_anything_is_shown_is_raised():
    with pytest.raises(RuntimeError, match="no <luck>"):
        watched(lambda slices: Counter(slices, fails_at=1))


def test_an_interrupt_stops_it():
    async def story():
        class Interrupted(Counter):
            def run(self, *, seconds):
                super().run(seconds=seconds)
                if self.ran == 3:
                    raise KeyboardInterrupt

        one = watched(Interrupted)
        LiveTraining._take_over(one.live)
        with pytest.raises(KeyboardInterrupt):
            for _ in range(3):
                one.live._turn()
        assert not one.live.training

    asyncio.run(story())


@pytest.mark.parametrize("how", ["start another", "make another", "close", "hide"])
def test_it_is_stopped_by_another_one_and_where_it_is_no_longer_seen(how):
    async def story():
        one, other = watched(), watched()
        one.slider.value = 1000
        one.live.box._view_count = 1  # as a page says
        one.live.start()
        await until(lambda: len(one.drawn) > 4)
        if how == "start another":
            other.live.start()
        elif how == "make another":
            watched()
        elif how == "close":
            one.live.box.close()
        else:
            one.live.box._view_count = 0
        ran = one.live.trained.ran
        assert not one.live.training
        await asyncio.sleep(0.05)
        assert one.live.trained.ran == ran < 1000
        assert (other.live.trained.ran > 0) == (how == "start another")

    asyncio.run(story())


@pytest.mark.slow
def test_without_a_loop_it_trains_to_the_end_however_long():
    one = watched()
    one.slider.value = 1000
    one.live.start()
    assert one.live.trained.ran == 1000 and not one.live.training and one.words.value == "1000 of 1000"


def test_others_have_their_turn_between_two_slices():
    async def story():
        one = watched()
        one.slider.value = 30
        one.live.start()
        others = 0
        while one.live.training:
            await asyncio.sleep(0)
            others += 1
        assert others > 30

    asyncio.run(story())


def test_the_pages_answer_is_a_turn_at_once_and_there_is_one_question_at_a_time(monkeypatch):
    """Even if it is stopped and started again before the page has answered, and whoever else changes the answer."""
    monkeypatch.setattr(live_training, "PATIENCE", 60)

    async def story():
        taken = []
        turns = Turns(lambda: taken.append(turns._question.value))
        assert turns.ask() and turns._question.value == 1 and not taken
        turns.cancel()
        turns._answer.value = 1
        assert not taken
        turns.ask()
        turns.cancel()
        turns.ask()
        assert turns._question.value == 2
        turns._answer.value = 2
        turns._answer.value = 7
        assert taken == [2]

    asyncio.run(story())


def test_a_training_is_paced_by_its_epochs_and_never_misses_one():
    X = torch.linspace(-1, 1, 20)[:, None]
    paced = Paced(Trainer([mlp([1, 3, 1], generator=torch.Generator().manual_seed(0))], X, X**2, epochs=300, lr=0.01))
    seen = [0]
    while not paced.done:
        paced.run(seconds=60.0)
        seen.append(paced.epochs)
    growth = [(after - before) / max(before, 12) for before, after in zip(seen, seen[1:], strict=False)]
    assert seen[:13] == list(range(13)) and seen[-1] == 300
    assert all(0.079 < one < 0.17 for one in growth[:-1])


def test_values_come_by_name():
    seen = []
    live = LiveTraining(
        lambda n, kind: seen.append((n, kind)) or Counter(n),
        lambda trained, n, kind: (plt.figure(figsize=(1, 1)), f"{kind} {n}"),
        n=IntSlider(3, description="n"),
        kind=Dropdown(options=["a", "b"], description="kind"),
    )
    live._inputs["kind"].value = "b"
    assert seen[0] == (3, "a") and seen[-1] == (3, "b") and live._picture.sentence.value == "b 3"
