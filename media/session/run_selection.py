"""Runs selections of an editor in a Spark session, through the Spark Connect client of this Python.

Reads one JSON request per line from the standard input and writes one JSON answer per line to the standard output.
SPARK_REMOTE names the session. Variables stay until the process ends.
"""

import ast
import contextlib
import io
import json
import linecache
import os
import sys
import textwrap
import traceback
import warnings

MAX_COLUMNS = 500
MAX_CELL = 2_000
MAX_TABLE = 4_000_000
MAX_TEXT = 50_000


class Missing(Exception):
    """The Connect client or a module that it needs cannot be imported."""


class Output(io.TextIOBase):
    """Collects what a selection prints: the first characters only."""

    def __init__(self):
        self.parts = []
        self.size = 0

    def writable(self):
        return True

    def write(self, text):
        room = MAX_TEXT - self.size
        if room > 0:
            self.parts.append(text[:room])
            self.size += len(text[:room])
            if len(text) > room:
                self.parts.append("\n…")
        return len(text)

    def text(self):
        return "".join(self.parts)


def open_session():
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise Missing(error.name or "pyspark") from error
    try:
        return SparkSession.builder.remote(os.environ["SPARK_REMOTE"]).getOrCreate()
    except ImportError as error:
        # PySpark reports a missing package in a sentence and with its cause.
        raise Missing(getattr(error, "name", None) or str(error)) from error


# ---- Results ---------------------------------------------------------------------------------------------------------


def cell(value):
    if value is None:
        return None
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, (bytes, bytearray)):
        text = bytes(value[:MAX_CELL]).hex()
    else:
        text = str(value)
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"


def table(columns, rows, max_rows):
    """`rows`: at most one more than `max_rows`."""
    shown = []
    size = 0
    more = False
    for row in rows:
        cells = [cell(value) for value in row[:MAX_COLUMNS]]
        size += sum(len(text or "") + 8 for text in cells)
        if len(shown) == max_rows or size > MAX_TABLE:
            more = True
            break
        shown.append(cells)
    return {
        "columns": [{"name": name, "type": kind} for name, kind in columns[:MAX_COLUMNS]],
        "rows": shown,
        "more": more,
        "hiddenColumns": max(0, len(columns) - MAX_COLUMNS),
    }


def is_spark_frame(value):
    kind = type(value)
    # Of the class: the schema of an object is a request to the session.
    return all(hasattr(kind, name) for name in ("sparkSession", "schema", "limit", "collect"))


def is_pandas_frame(value):
    return type(value).__module__.split(".")[0] == "pandas" and hasattr(value, "itertuples")


def shown(value, max_rows):
    if is_spark_frame(value):
        columns = [(field.name, field.dataType.simpleString()) for field in value.schema.fields]
        return {"table": table(columns, value.limit(max_rows + 1).collect(), max_rows)}
    if is_pandas_frame(value):
        columns = [(str(name), str(kind)) for name, kind in value.dtypes.items()]
        rows = value.head(max_rows + 1).itertuples(index=False, name=None)
        return {"table": table(columns, rows, max_rows)}
    return {} if value is None else {"text": repr(value)[:MAX_TEXT]}


# ---- Languages -------------------------------------------------------------------------------------------------------


def run_python(request, names):
    """Returns the value of the last statement if it is an expression."""
    source = textwrap.dedent(request["code"])
    path = request["path"]
    # Tracebacks show the lines of the document.
    before = "\n" * request["line"]
    linecache.cache[path] = (len(source), None, (before + source).splitlines(True), path)
    tree = ast.parse(before + source, path)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, path, "exec"), names)
        return None
    tree.body.pop()
    exec(compile(tree, path, "exec"), names)
    return eval(compile(ast.Expression(last.value), path, "eval"), names)


def statements(text):
    """Splits SQL at semicolons outside of quotes and comments."""
    found = []
    start = at = 0
    end = len(text)
    while at < end:
        char = text[at]
        if text.startswith("--", at):
            line_end = text.find("\n", at)
            at = end if line_end < 0 else line_end
        elif text.startswith("/*", at):
            close = text.find("*/", at + 2)
            at = end if close < 0 else close + 2
        elif char in "'\"`":
            at += 1
            while at < end and text[at] != char:
                at += 2 if text[at] == "\\" and char != "`" else 1
            at += 1
        elif char == ";":
            found.append(text[start:at])
            at += 1
            start = at
        else:
            at += 1
    found.append(text[start:])
    return [one for one in found if not is_blank(one)]


def is_blank(statement):
    """True if there are only comments."""
    rest = statement.strip()
    while rest.startswith(("--", "/*")):
        is_line = rest.startswith("--")
        _, mark, rest = rest.partition("\n" if is_line else "*/")
        rest = rest.strip() if mark else ""
    return rest == ""


def run_sql(request, names):
    value = None
    for statement in statements(request["code"]):
        value = names["spark"].sql(statement)
    return value


# ---- Requests --------------------------------------------------------------------------------------------------------


def without_own_frames(error):
    """The traceback from the first line of the selection on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace))


def answer(request, names):
    output = Output()
    result = {"kind": "done"}
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            if "spark" not in names:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    names["spark"] = open_session()
            run = run_sql if request["language"] == "sql" else run_python
            result.update(shown(run(request, names), request["maxRows"]))
    except Missing as error:
        result = {"kind": "missing", "module": str(error)[:200]}
    except KeyboardInterrupt:
        result = {"kind": "interrupted"}
        with contextlib.suppress(Exception):
            names["spark"].interruptAll()
    except SystemExit as error:
        result = {"kind": "failed", "text": "SystemExit: %s" % error.code}
    except BaseException as error:
        result = {"kind": "failed", "text": without_own_frames(error)[:MAX_TEXT]}
    return {**result, "id": request["id"], "output": output.text()}


def main():
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    # Programs that a selection starts must not read requests or write between answers.
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    sys.stdin = open(os.devnull)
    # Modules of the workspace come last, so that they hide none of the client.
    sys.path = [entry for entry in sys.path if entry != os.path.dirname(__file__)]
    names = {"__name__": "__main__", "__builtins__": __builtins__}
    while True:
        try:
            line = requests.readline()
            if line == "":
                return
            request = json.loads(line)
            for folder in (os.path.dirname(request["path"]), os.getcwd()):
                if folder not in sys.path:
                    sys.path.append(folder)
            answers.write(json.dumps(answer(request, names)) + "\n")
            answers.flush()
        except KeyboardInterrupt:
            # Canceled when the selection had ended.
            continue


if __name__ == "__main__":
    main()
