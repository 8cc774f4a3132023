"""Finding, filtering and breakpoints on the main screen."""

from __future__ import annotations

from bisect import bisect_left

from textual.timer import Timer

from scopetrace.model import TimelineView
from scopetrace.replay.looking import Breakpoint, RowFilter, hits, row_test, rows_to_try, search_test
from scopetrace.tui.keymap import keys_in_force
from scopetrace.tui.present.looking import breakpoint_text, find_words, scope_name
from scopetrace.tui.present.scopes import BREAK
from scopetrace.tui.sweep import Sweep, Sweeps

from .choice import Choice, ChoiceScreen
from .prompt import PromptScreen
from .stepping import Stepping

TICK_SECONDS = 0.03
_FILTER_KEYS = {RowFilter.ALL: "a", RowFilter.CHANGES: "c", RowFilter.TOUCHES: "t", RowFilter.PROBLEMS: "p"}


class Looking(Stepping):
    """A screen that looks for rows: one search, one filter, any number of breakpoints."""

    def __init__(self, timeline: TimelineView, start: int) -> None:
        super().__init__(timeline, start)
        self.find_text = ""
        self.found: Sweep | None = None
        self.filter_name = ""
        self.breakpoints: tuple[Breakpoint, ...] = ()
        self._filter: Sweep | None = None
        self._sweeps = Sweeps()
        self._ticker: Timer | None = None
        self._known = len(timeline)

    def selected_scope(self) -> str:
        """Scope key or directory of what is selected; empty when that is neither."""
        raise NotImplementedError

    def offered_breakpoints(self) -> list[Breakpoint]:
        """Breakpoints that fit to what is selected."""
        raise NotImplementedError

    # -- work between keys

    @property
    def looking(self) -> str:
        """What is being looked for at this moment, with how far it is; empty when nothing is."""
        stop = keys_in_force(self.app).first("main.back")
        if (sweep := self._sweeps.going("continue")) is not None:
            return f"looking for the next hit … {sweep.share} % · {stop} stops"
        if (sweep := self._sweeps.going("filter")) is not None:
            return f"filtering … {sweep.share} % · {stop} stops"
        return ""

    @property
    def busy(self) -> bool:
        """Whether some search, filter or continuation is not done yet."""
        return self._sweeps.busy

    def _look(self) -> None:
        """Do a slice now and the rest between keys."""
        self._tick()
        if self._sweeps.busy and self._ticker is None:
            self._ticker = self.set_interval(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        self._sweeps.run()
        if not self._sweeps.busy and self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        self.request_draw()

    def rows_came(self) -> None:
        """The timeline has grown: what is searched and filtered goes on with the new rows."""
        new = range(self._known, len(self.timeline))
        self._known = len(self.timeline)
        for name, sweep in (("find", self.found), ("filter", self._filter)):
            if sweep is not None and new:
                sweep.extend(new)
                if self._sweeps.going(name) is None:
                    self._sweeps.start(name, sweep)
        if self._sweeps.busy:
            self._look()

    def forget_looks(self) -> None:
        """Forget search and filter: the rows they found are those of another timeline."""
        for name in ("find", "filter", "continue"):
            self._sweeps.drop(name)
        self.find_text, self.filter_name = "", ""
        self.found = self._filter = self.shown_rows = None
        self._known = 0

    # -- finding

    def action_find(self) -> None:
        """Ask what to find; matches are counted while it is typed."""
        self.app.push_screen(
            PromptScreen(
                "Find in texts, paths and raw events",
                self._find_hint,
                value=self.find_text,
                accept=lambda text: True,
                changed=self._find,
                live=True,
            ),
            self._find_done,
        )

    def _find(self, text: str) -> None:
        if text == self.find_text:
            return
        self.find_text = text
        self._sweeps.drop("find")
        self.found = None
        if text:
            count = len(self.timeline)
            rows = [*range(self.index, count), *range(self.index)]
            self.found = Sweep(rows, search_test(self.timeline, text))
            self._sweeps.start("find", self.found)
            self._look()
        self.request_draw()

    def _find_hint(self, text: str) -> tuple[str, bool]:
        if self.found is None:
            return "enter goes to the first match · esc goes back", False
        return find_words(text, self.found, -1), self.found.done and not self.found.found

    def _find_done(self, text: str | None) -> None:
        if not text:
            self._find("")
            return
        self._find(text)
        sweep = self.found
        if sweep is None:
            return
        place = bisect_left(sweep.found, self.index)
        if place < len(sweep.found):
            self.go(sweep.found[place])
        elif sweep.found and sweep.done:
            self.go(sweep.found[0])
        elif not sweep.done:
            # Rows are tried from here on: the first one found is the one to go to.
            self._sweeps.start("find", sweep, lambda done: self.go(done.found[0]) if done.found else None)
        self.request_draw()

    def action_find_next(self) -> None:
        """To the next match."""
        self._go_found(1)

    def action_find_previous(self) -> None:
        """To the previous match."""
        self._go_found(-1)

    def _go_found(self, direction: int) -> None:
        if self.found is None:
            find = keys_in_force(self.app).first("main.find")
            self.notify(f"Nothing is searched for. {find} finds.", timeout=2, markup=False)
            return
        index = self.found.after(self.index) if direction > 0 else self.found.before(self.index)
        self._go_or_say(index, f"No match for “{self.find_text}”.")

    # -- filtering

    def action_filter(self) -> None:
        """Ask which rows to show."""
        choices = [Choice(key, which.value, (which, "")) for which, key in _FILTER_KEYS.items()]
        scope = self.selected_scope()
        if scope:
            choices.append(Choice("s", f"changes of {scope_name(scope)}", (RowFilter.CHANGES, scope), "selected"))
        self.app.push_screen(ChoiceScreen("Show", choices), lambda value: self.filter(*value) if value else None)

    def filter(self, which: RowFilter, scope: str = "") -> None:
        """Show some rows only. What is found so far is shown while the rest is tried."""
        self._sweeps.drop("filter")
        self.shown_rows, self.filter_name, self._filter = None, "", None
        if which is not RowFilter.ALL or scope:
            self.filter_name = f"changes of {scope_name(scope)}" if scope else which.value
            rows = self.timeline.changes if scope else range(len(self.timeline))
            self._filter = sweep = Sweep(list(rows), row_test(self.timeline, which, scope))
            self.shown_rows = sweep.found
            self._sweeps.start("filter", sweep)
            self._look()
        self.request_draw()

    # -- breakpoints

    def action_breakpoints(self) -> None:
        """Offer breakpoints for what is selected, and list those that are set."""
        choices: list[Choice[tuple[str, Breakpoint | None]]] = []
        for one in self.offered_breakpoints():
            if one not in self.breakpoints:
                key = {"scope": "s", "outcome": "o", "mismatch": "r"}[one.kind.value]
                taken = any(choice.key == key for choice in choices)
                choices.append(Choice("d" if taken else key, f"stop when {breakpoint_text(one)}", ("set", one)))
        for number, one in enumerate(self.breakpoints, 1):
            key = str(number) if number < 10 else ""
            choices.append(
                Choice(key, f"{BREAK} {breakpoint_text(one)}", ("remove", one), "set; enter removes", "info")
            )
        if self.breakpoints:
            choices.append(Choice("x", "remove all breakpoints", ("clear", None), role="warn"))
        hint = "Scopes and Decisions offer more · esc back" if len(self.offered_breakpoints()) < 2 else ""
        self.app.push_screen(ChoiceScreen("Breakpoints", choices, hint=hint), self._break)

    def _break(self, wanted: tuple[str, Breakpoint | None] | None) -> None:
        if wanted is None:
            return
        what, one = wanted
        if what == "clear":
            self.breakpoints = ()
        elif one is not None:
            without = tuple(other for other in self.breakpoints if other != one)
            self.breakpoints = without if what == "remove" else (*without, one)
            if what == "set":
                key = keys_in_force(self.app).first("main.continue")
                self.notify(f"stops when {breakpoint_text(one)}; {key} continues to it", timeout=3, markup=False)
        self.request_draw()

    def action_continue(self) -> None:
        """To the next row at which a breakpoint stops."""
        if not self.breakpoints:
            key = keys_in_force(self.app).first("main.breakpoints")
            self.notify(f"No breakpoint is set. {key} sets one.", timeout=3, markup=False)
            return
        rows = rows_to_try(self.timeline, self.breakpoints, self.index)
        self._sweeps.start("continue", Sweep(rows, self.pauses_at, first_only=True), self._arrived)
        self._look()

    def pauses_at(self, index: int) -> bool:
        """Whether a breakpoint stops at a row."""
        return any(hits(self.timeline, index, one) for one in self.breakpoints)

    def _arrived(self, sweep: Sweep) -> None:
        if not sweep.found:
            self.notify("No breakpoint is hit after this event.", timeout=3, markup=False)
            return
        index = sweep.found[0]
        self.go(index)
        self.notify("stopped: " + self.stopped_by(index), timeout=3, markup=False)

    def stopped_by(self, index: int) -> str:
        """Which breakpoints stop at a row."""
        return ", ".join(breakpoint_text(one) for one in self.breakpoints if hits(self.timeline, index, one))

    # -- backing out

    def back(self) -> bool:
        """Stop what is going on, else forget the search, else show all rows again; false when there was nothing."""
        if self._sweeps.drop("continue"):
            self.request_draw()
        elif self.playing:
            self.action_play()
        elif self.found is not None:
            self._find("")
        elif self.shown_rows is not None:
            self.filter(RowFilter.ALL)
        else:
            return False
        return True
