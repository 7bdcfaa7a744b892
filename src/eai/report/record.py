"""A record: one judged prediction."""

from __future__ import annotations

from dataclasses import dataclass

from eai.diagnosis.judgement import Judgement

__all__ = ["Record"]


@dataclass(frozen=True, slots=True)
class Record:
    """One judged prediction.

    Args:
        suite: Name of the suite.
        version: Version of the suite's tasks.
        ability: Which ability was judged.
        semantics: Which semantics was used, spelled as reports print it.
        model: Whose prediction it is.
        task: Identifier of the task.
        name: Category of the task (``"Wash clothes"``).
        output: The answer, as it was given.
        judgement: What was found.
        seconds: How long judging took, by the clock; 0 when timing is off.
    """

    suite: str
    version: str
    ability: str
    semantics: str
    model: str
    task: str
    name: str
    output: str
    judgement: Judgement
    seconds: float = 0.0

    def _repr_html_(self) -> str:
        from eai.display import folded, preformatted, stacked, table

        about = [("Model", self.model), ("Ability", self.ability), ("Semantics", self.semantics)]
        return stacked(
            table((), about, caption=f"{self.suite} {self.task}: {self.name}"),
            self.judgement.to_html(),
            folded("The answer as it was given", preformatted(self.output)),
        )
