"""Steps whose actions and objects stand in lists of their own, as in the columns of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eai.answers.keys import is_object_key
from eai.answers.plan import ACTION_KEYS, HEADINGS
from eai.answers.step_parts import StepsOfKind, written_pair
from eai.answers.values import Group, Item, Node, Pair, Text, plain_key


class ColumnSteps(StepsOfKind):
    """Reads the steps of columns."""

    def read_columns(self, pairs: Sequence[Pair], depth: int) -> bool:
        """Add steps whose actions and objects stand in columns; return False if there are none.

        Examples are ``{"actions": ["WALK", "OPEN"], "arguments": [["hall"], ["door"]]}`` and
        ``{"action": {"0": "WALK", "1": "OPEN"}, "object": {"0": "hall", "1": "door"}}``.

        Args:
            pairs: The keys and values of an object.
            depth: How deep the object stands in the whole value.
        """
        columns: dict[str, list[Node]] = {}
        for pair in pairs:
            cells = _cells_of(pair.value)
            if cells:
                columns[pair.key.value] = cells
        for key, actions in columns.items():
            if not self._are_actions(key, actions):
                continue
            columns_beside = _columns_beside(key, columns)
            if not any(map(is_object_key, columns_beside)):
                continue
            for row in _rows_of(actions, columns_beside):
                self.collected.read_object(row, depth + 1)
            read_keys = {key, *columns_beside}
            other_pairs = [pair for pair in pairs if pair.key.value not in read_keys]
            steps_beside = filter(self.collected.is_step_beside, other_pairs)
            self.collected.current.unread += map(written_pair, steps_beside)
            return True
        return False

    def _are_actions(self, key: str, cells: Sequence[Node]) -> bool:
        """Whether a column has nothing but names of actions, under a key for them.

        Several names under ``action`` in one item of a list of steps are no column.
        """
        keys = HEADINGS if self.collected.lists_around else HEADINGS | ACTION_KEYS
        return plain_key(key) in keys and all(map(self.collected.names_action, cells))


def _columns_beside(key: str, columns: Mapping[str, list[Node]]) -> dict[str, list[Node]]:
    """Return the columns that are as long as the one of a key, without that one."""
    length = len(columns[key])
    beside: dict[str, list[Node]] = {}
    for name, cells in columns.items():
        if name != key and len(cells) == length:
            beside[name] = cells
    return beside


def _cells_of(node: Node | None) -> list[Node]:
    """Return the cells of a list, or of an object whose keys number them; empty for other values.

    Objects such as ``{"0": "WALK", "1": "OPEN"}`` are how tables of pandas are printed.
    """
    if not isinstance(node, Group) or node.kind not in ("list", "object"):
        return []
    if node.kind == "list":
        return node.members if not node.pairs else []
    numbered_cells: list[tuple[int, Node]] = []
    for pair in node.pairs:
        if not pair.name.isdigit() or pair.value is None:
            return []
        numbered_cells.append((int(pair.name[:9]), pair.value))
    return [cell for _, cell in sorted(numbered_cells, key=lambda entry: entry[0])]


def _rows_of(actions: Sequence[Node], columns: Mapping[str, list[Node]]) -> list[Group]:
    """Return a step as an object for each action of a column, with the cells beside it.

    Args:
        actions: The column of the actions.
        columns: The other columns, of the same length, by their keys.
    """
    rows: list[Group] = []
    for index, action in enumerate(actions):
        row: list[Item] = [Pair(Text("action", action.at, action.at), action)]
        for key, cells in columns.items():
            offset = cells[index].at
            row.append(Pair(Text(key, offset, offset), cells[index]))
        rows.append(Group("object", action.at, action.end, row))
    return rows
