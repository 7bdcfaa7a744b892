"""Programs in Python with their loops and helper functions written out.

``def fetch(x): walk(x); grab(x)`` and ``for x in ["cup", "plate"]: grab(x)`` say each step once for
several objects. Nothing is run: the tree of the program is followed, constants are put in the place
of the names that stand for them, and whatever depends on more than constants leaves the program as
it is written.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from eai.nesting import load_program

MAX_CODE = 20_000
"""Maximum number of characters of a program that is written out."""
MAX_CALLS = 1_000
"""Maximum number of calls that are written out."""
MAX_NODES = 50_000
"""Maximum number of parts of the program that are looked at; loops count each time."""
MAX_DEPTH = 20
"""Maximum nesting of loops and calls of functions."""

_FENCE = re.compile(r"^```(?:python|py)[ \t]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_UNROLLABLE = re.compile(
    r"^[ \t]*(?:(?:async[ ])?def[ ]\w+\(|for[ ][\w(, )]{1,60}[ ]in\b)", re.MULTILINE
)
"""A function, or a loop."""


def with_unrolled_code(text: str) -> str:
    """Return an answer with the loops and functions of its programs in Python written out.

    Example:
        >>> with_unrolled_code("for x in ['cup', 'plate']: grab(x)").splitlines()
        ["grab('cup')", "grab('plate')"]
    """
    # Most answers are no programs, and long: they are told at once.
    may_be_program = "def " in text or "\nfor " in text or text.startswith("for ")
    if not may_be_program or _UNROLLABLE.search(text) is None:
        return text
    if "```" not in text:
        return _unroll_program(text) or text
    return _FENCE.sub(_unrolled_fence, text)


def _unrolled_fence(match: re.Match[str]) -> str:
    """Return a fence with its program written out."""
    code = _unroll_program(match[1]) if _UNROLLABLE.search(match[1]) else None
    return match[0] if code is None else f"```python\n{code}\n```"


def _unroll_program(code: str) -> str | None:
    """Return a program as its calls in order; None if they depend on more than constants."""
    if len(code) > MAX_CODE:
        return None
    try:
        tree = load_program(code)
        program = _Program(code.split("\n"))
        program.unroll(tree.body, {}, 0)
        if not program.calls:
            for function in _entry_functions(program.functions):
                program.call_own(function, {}, 0)
    except (ValueError, _NotConstantError):
        return None
    are_called = program.called.issuperset(program.functions)
    return "\n".join(program.calls) if program.calls and are_called else None


class _NotConstantError(Exception):
    """Raised where a program depends on more than constants."""


_Names = Mapping[str, ast.expr]
"""Constants, and lists of them, by the names that stand for them."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class _Program:
    """The calls of a program that was followed so far.

    Args:
        lines: The lines of the program.
        calls: The calls, as they are written, with constants in place of names, and comments.
        functions: The functions and methods that it defines and that do more than tell.
        telling: Those that only tell.
        classes: The names of its classes.
        called: The names of those that it called.
        looked_at: Number of its parts that were looked at.
    """

    lines: Sequence[str]
    calls: list[str] = field(default_factory=list)
    functions: dict[str, _Function] = field(default_factory=dict)
    telling: dict[str, _Function] = field(default_factory=dict)
    classes: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    looked_at: int = 0

    def unroll(self, body: Sequence[ast.stmt], names: _Names, depth: int) -> None:
        """Write out the calls of some statements, in order.

        Args:
            body: The statements of a function, a loop or a branch.
            names: The constants that names stand for.
            depth: How deep the body stands in others.

        Raises:
            _NotConstantError: If the calls depend on more than constants, or are too many.
        """
        self.looked_at += len(body)
        if self.looked_at > MAX_NODES or depth > MAX_DEPTH or len(self.calls) > MAX_CALLS:
            raise _NotConstantError
        # What is assigned in a body is not known outside of it.
        names = dict(names)
        for statement in body:
            # Behind any other "return" the calls would not be reached.
            if isinstance(statement, ast.Return) and statement is body[-1]:
                if isinstance(statement.value, (ast.Call, ast.Await)):
                    self._unroll_call(statement.value, names, depth)
            else:
                self._follow_statement(statement, names, depth)

    def _follow_statement(
        self, statement: ast.stmt, names: dict[str, ast.expr], depth: int
    ) -> None:
        """Write out the calls of a statement, or remember the name that it defines.

        Imports and ``pass`` are skipped. A loop or a branch with ``else`` is not followed:
        whether its ``else`` runs depends on more than constants.

        Args:
            statement: The statement; a ``return`` is one of those that are not followed.
            names: The constants that names stand for; an assignment changes them.
            depth: How deep the statement stands in others.

        Raises:
            _NotConstantError: If it is a statement of another kind.
        """
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            self._remember_definition(statement)
        elif isinstance(statement, ast.Assign):
            self._remember_constant(statement, names, depth)
        elif isinstance(statement, ast.Expr):
            self._keep_comment_above(statement)
            self._unroll_call(statement.value, names, depth)
        elif isinstance(statement, (ast.For, ast.If)) and not statement.orelse:
            self._follow_block(statement, names, depth)
        elif not isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass)):
            raise _NotConstantError

    def _keep_comment_above(self, statement: ast.Expr) -> None:
        """Write out the comment above a call without arguments, which may say what it does."""
        value = statement.value
        line_above = self.lines[statement.lineno - 2].strip() if statement.lineno > 1 else ""
        has_arguments = not isinstance(value, ast.Call) or value.args or value.keywords
        if line_above.startswith("#") and not has_arguments:
            self.calls.append(line_above)

    def _follow_block(self, block: ast.For | ast.If, names: _Names, depth: int) -> None:
        """Write out the calls of a loop, or of the main part of a program.

        Raises:
            _NotConstantError: If it is any other branch.
        """
        if isinstance(block, ast.For):
            self._unroll_loop(block, names, depth)
        elif isinstance(block.test, ast.Compare) and ast.unparse(block.test.left) == "__name__":
            self.unroll(block.body, names, depth + 1)
        else:
            raise _NotConstantError

    def _remember_definition(self, definition: _Function | ast.ClassDef) -> None:
        """Remember a function, or the methods of a class.

        A function that only prints what is done, ``walk(x)``, is not followed: each call of it is a
        step. But if its name is only a number, ``step_1()``, the calls in it are the steps.
        """
        if isinstance(definition, ast.ClassDef):
            self.classes.add(definition.name)
            for part in definition.body:
                if isinstance(part, _FUNCTIONS):
                    self._remember_definition(part)
        elif not _only_tells(definition) or _NUMBERED.match(definition.name):
            self.functions[definition.name] = definition
        else:
            self.telling[definition.name] = definition

    def _function_called_by(self, value: ast.expr) -> _Function | None:
        """Return the function of the program that a value calls; None if it calls another one."""
        if isinstance(value, ast.Await):
            value = value.value
        return self.functions.get(_called_name(value)) if isinstance(value, ast.Call) else None

    def _remember_constant(
        self, statement: ast.Assign, names: dict[str, ast.expr], depth: int
    ) -> None:
        """Remember a constant under its name; the result of a call has no name here."""
        value = self._with_constants(statement.value, names)
        target = statement.targets[0]
        if len(statement.targets) > 1 or not isinstance(target, ast.Name):
            raise _NotConstantError
        # A name that is assigned anew no longer stands for the old constant.
        names.pop(target.id, None)
        if _is_constant(value):
            names[target.id] = value
        elif isinstance(value, ast.Call):
            self._unroll_call(value, names, depth)
        else:
            raise _NotConstantError

    def _unroll_loop(self, loop: ast.For, names: _Names, depth: int) -> None:
        """Follow the body of a loop for each of the constants that it goes over."""
        items = _constants_of_loop(self._with_constants(loop.iter, names))
        # A "return" may end the loop early, depending on what a step gives back.
        if any(isinstance(part, ast.Return) for part in ast.walk(loop)):
            raise _NotConstantError
        for item in items:
            self.unroll(loop.body, {**names, **dict(_bind_targets(loop.target, item))}, depth + 1)

    def _keep_told_text(self, function: _Function) -> None:
        """Write out what a function prints as a comment, which stands above its call."""
        told = [part for part in ast.walk(function) if isinstance(part, ast.Call) and part.args]
        # With several calls in it, nobody knows which of them says what is done.
        text = told[0].args[0] if len(told) == 1 else None
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            self.calls.append(f"# {text.value}")

    def _unroll_call(self, value: ast.expr, names: _Names, depth: int) -> None:
        """Write out a call with constants in place of names; follow a function of the program.

        Args:
            value: The call, or a text that explains.
            names: The constants that names stand for.
            depth: How deep the call stands in functions, loops and branches.
        """
        if isinstance(value, ast.Constant):
            return
        call = _inner_call(value)
        # "Robot()" makes an object of a class of the program, and is no step.
        if isinstance(call.func, ast.Name) and call.func.id in self.classes:
            return
        function = self._function_called_by(call)
        if function is None:
            telling = self.telling.get(_called_name(call))
            if telling is not None and not (call.args or call.keywords or _parameters(telling)):
                self._keep_told_text(telling)
            self.calls.append(ast.unparse(self._with_constants(call, names)))
            return
        names_in_function = dict(names)
        for name, argument in _bind_arguments(function, call).items():
            constant = self._with_constants(argument, names)
            # A parameter that is no constant, such as a robot, keeps its name.
            if _is_constant(constant):
                names_in_function[name] = constant
        self.call_own(function, names_in_function, depth)

    def call_own(self, function: _Function, names: _Names, depth: int) -> None:
        """Follow a function of the program."""
        self.called.add(function.name)
        self.unroll(function.body, names, depth + 1)

    def _with_constants(self, value: ast.expr, names: _Names) -> ast.expr:
        """Return a value with constants in the place of names; the value itself stays as it is."""
        parts = list(ast.walk(value))
        self.looked_at += len(parts)
        if self.looked_at > MAX_NODES:
            raise _NotConstantError
        if not any(isinstance(part, ast.Name) and part.id in names for part in parts):
            return value
        # Parts of lists are not worked out.
        if any(isinstance(part, (ast.Starred, ast.Subscript)) for part in parts):
            raise _NotConstantError
        copied = ast.parse(ast.unparse(value), mode="eval").body
        changed: ast.expr = _Constants(names).visit(copied)
        return changed


_TELLING = re.compile(r"print$|str$|len$|(?:time|asyncio)\.sleep$|(?:logging|logger|log|console)\.")
"""Names of functions that only print or wait."""
_NUMBERED = re.compile(r"(?:step|action|phase|part|stage|task)_?(\d{1,3})(?!\d)")
"""The name of a function that is one of several steps."""
_LISTS = (ast.List, ast.Tuple)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _inner_call(value: ast.expr) -> ast.Call:
    """Return the call in ``await walk(x)`` or in ``asyncio.run(walk(x))``.

    Raises:
        _NotConstantError: If the value is no call.
    """
    if isinstance(value, ast.Await):
        value = value.value
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "asyncio.run":
        value = value.args[0] if len(value.args) == 1 else value
    if not isinstance(value, ast.Call):
        raise _NotConstantError
    return value


def _entry_functions(functions: Mapping[str, _Function]) -> list[_Function]:
    """Return the functions with which a program begins, if it does not call any itself.

    That is the one that calls others and that no other calls, ``run``. Empty if it is not clear.
    """
    called_names: set[str] = set()
    for function in functions.values():
        called_names |= {
            _called_name(node) for node in ast.walk(function) if isinstance(node, ast.Call)
        }
    entries = [function for name, function in functions.items() if name not in called_names]
    return entries if len(entries) == 1 < len(functions) else []


def _called_name(call: ast.Call) -> str:
    """Return the name of the function or method that is called."""
    return str(getattr(call.func, "attr", None) or getattr(call.func, "id", None))


def _only_tells(part: ast.AST) -> bool:
    """Whether a part of a program calls only functions that print or wait, and has no list."""
    for node in ast.walk(part):
        if isinstance(node, ast.Call) and not _TELLING.match(ast.unparse(node.func)):
            return False
        if isinstance(node, (*_LISTS, ast.Dict, ast.For)):
            return False
    return True


def _is_constant(value: ast.expr) -> bool:
    """Whether a value is a constant, or a list of constants."""
    if isinstance(value, (ast.List, ast.Tuple)):
        return all(map(_is_constant, value.elts))
    return isinstance(value, ast.Constant)


def _bind_targets(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names of the target of a loop, each with its constant."""
    if isinstance(target, ast.Name) and _is_constant(value):
        yield target.id, value
        return
    if not (isinstance(target, _LISTS) and isinstance(value, _LISTS)):
        raise _NotConstantError
    if len(target.elts) != len(value.elts):
        raise _NotConstantError
    for inner_target, inner_value in zip(target.elts, value.elts, strict=True):
        yield from _bind_targets(inner_target, inner_value)


def _constants_of_loop(iterable: ast.expr) -> Sequence[ast.expr]:
    """Return the constants of a loop, from a list or ``range(3)``."""
    if isinstance(iterable, _LISTS):
        return iterable.elts
    is_range = isinstance(iterable, ast.Call) and ast.unparse(iterable.func) == "range"
    if not is_range or not isinstance(iterable, ast.Call) or len(iterable.args) != 1:
        raise _NotConstantError
    count = iterable.args[0]
    if not (isinstance(count, ast.Constant) and isinstance(count.value, int)):
        raise _NotConstantError
    return [ast.Constant(number) for number in range(min(count.value, MAX_CALLS + 1))]


def _parameters(function: _Function) -> list[str]:
    """Return the names of the parameters of a function, without ``self``."""
    return [parameter.arg for parameter in function.args.args if parameter.arg != "self"]


def _bind_arguments(function: _Function, call: ast.Call) -> dict[str, ast.expr]:
    """Return the parameters of a function with the values that a call gives them."""
    parameters = _parameters(function)
    has_special_parameters = function.args.vararg or function.args.kwarg or function.args.kwonlyargs
    if has_special_parameters or len(call.args) > len(parameters):
        raise _NotConstantError
    value_by_parameter: dict[str, ast.expr] = {}
    defaults = function.args.defaults
    value_by_parameter |= dict(
        zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True)
    )
    value_by_parameter |= dict(zip(parameters, call.args, strict=False))
    value_by_parameter |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if set(value_by_parameter) != set(parameters):
        raise _NotConstantError
    return value_by_parameter


class _Constants(ast.NodeTransformer):
    """Puts constants in the place of names."""

    def __init__(self, names: _Names) -> None:
        """Replace these names when a tree is visited."""
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the constant that a name stands for, or the name."""
        return self.names.get(node.id, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Return the attribute of a name; a list of constants has none that is known."""
        self.generic_visit(node)
        if isinstance(node.value, _LISTS):
            raise _NotConstantError
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """Return a formatted text as a constant, if all of its parts are constants."""
        self.generic_visit(node)
        parts: list[str] = []
        for part in node.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            if not isinstance(inner, ast.Constant):
                return node
            parts.append(str(inner.value))
        return ast.Constant("".join(parts))
