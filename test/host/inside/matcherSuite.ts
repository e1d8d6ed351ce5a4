import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { until, type Suite } from "./runSuite.ts";

/** The workspace folder, which contains the program. */
const place = vscode.workspace.workspaceFolders?.[0]?.uri.path ?? "";
const program = vscode.Uri.file(`${place}/totals.py`);
const own = (path: string): string => `Traceback (most recent call last):
  File "${path}", line 30, in <module>
    main(spark, sys.argv[1])
  File "${path}", line 7, in main`;
const packages = "/usr/local/lib/python3.11/site-packages";
/** The innermost frames of a Python 3.11 traceback, in PySpark 4.3.0 as pip installs it. */
const gateway = `  File "${packages}/py4j/java_gateway.py", line 1362, in __call__
    return_value = get_return_value(
                   ^^^^^^^^^^^^^^^^^
  File "${packages}/pyspark/errors/exceptions/captured.py", line 262, in deco
    raise converted from None`;
const notFound =
  "pyspark.errors.exceptions.captured.AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] It cannot be found.";
const divided = "pyspark.errors.exceptions.captured.ArithmeticException: [DIVIDE_BY_ZERO] By zero.";

interface Row {
  readonly trace: string;
  /** The expected problems of the program, each as its line number and message. */
  readonly found: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  "a trace of Python 3.11": {
    trace: `${own(`${place}/totals.py`)}
    return part / whole
           ~~~~~^~~~~~~
ZeroDivisionError: division by zero`,
    found: ["7 ZeroDivisionError: division by zero"],
  },
  "a trace that ends in the PySpark of an image": {
    trace: `${own("/opt/spark/work-dir/totals.py")}
    spark.sql("select * from nowhere").show()
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/opt/spark/python/lib/pyspark.zip/pyspark/sql/session.py", line 1934, in sql
  File "/opt/spark/python/lib/py4j-0.10.9.9-src.zip/py4j/java_gateway.py", line 1362, in __call__
  File "/opt/spark/python/lib/pyspark.zip/pyspark/errors/exceptions/captured.py", line 262, in deco
${notFound}`,
    found: [`7 ${notFound}`],
  },
  "a trace that ends in a PySpark that pip has installed": {
    trace: `${own(`${place}/totals.py`)}
    spark.sql("select * from nowhere").show()
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "${packages}/pyspark/sql/session.py", line 1934, in sql
    return DataFrame(self._jsparkSession.sql(sqlQuery, litArgs), self)
                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
${gateway}
${notFound}
Search path: [\`system\`.\`builtin\`, \`system\`.\`session\`, \`spark_catalog\`.\`default\`].
Hint: see the manual
'Project [*]
+- 'UnresolvedRelation [nowhere], [], false
`,
    found: [
      '7 spark.sql("select * from nowhere").show()\n',
      `7 spark.sql("select * from nowhere").show()\n${notFound}`,
    ],
  },
  "a trace that ends deep in a PySpark of a virtual environment": {
    trace: `${own(`${place}/totals.py`)}
    orders.show()
  File "/srv/env/lib/python3.11/site-packages/pyspark/sql/classic/dataframe.py", line 302, in show
    print(self._show_string(n, truncate, vertical))
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/srv/env/lib/python3.11/site-packages/pyspark/sql/classic/dataframe.py", line 328, in _show_string
    return self._jdf.showString(n, 20, vertical)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
${gateway}
${divided}
== DataFrame ==
"__truediv__" was called from
/app/totals.py:9
`,
    found: ["7 orders.show()\n", `7 orders.show()\n${divided}`],
  },
  "a trace of a function that a PySpark of pip called": {
    trace: `${own(`${place}/totals.py`)}
    spark.sparkContext.parallelize([1, 2]).map(lambda x: x / 0).collect()
  File "${packages}/pyspark/core/rdd.py", line 1699, in collect
    sock_info = self.ctx._jvm.PythonRDD.collectAndServe(self._jrdd.rdd())
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
${gateway}
  File "${place}/totals.py", line 7, in <lambda>
    spark.sparkContext.parallelize([1, 2]).map(lambda x: x / 0).collect()
  ^^^^^^^^^^^^^^^^^
pyspark.errors.exceptions.captured.PythonException: An exception was thrown from the Python worker:
`,
    found: [
      "7 spark.sparkContext.parallelize([1, 2]).map(lambda x: x / 0).collect()\n",
      "7 pyspark.errors.exceptions.captured.PythonException: An exception was thrown from the Python worker:",
    ],
  },
};

/** Tests the manifest's problem matchers with the output of real tasks. */
export const matcherSuite: Suite = Object.fromEntries(
  Object.entries(rows).map(([name, { trace, found }]) => [
    `the matchers for tasks give the program's last place of ${name}`,
    () => checkMatchers(trace, found),
  ]),
);

async function checkMatchers(trace: string, found: readonly string[]): Promise<void> {
  // VS Code shows the problems of a file only after the matchers find a problem in another file.
  const next = `Traceback (most recent call last):
  File "${place}/next.py", line 1, in <module>
    end()
Exception: the end`;
  await vscode.workspace.fs.writeFile(program, new Uint8Array());
  const end = await startTask(`${trace}\n${next}\n`);
  try {
    await until(found.join("; "), () => isDeepStrictEqual(problemsOfTotals(), found) || undefined);
  } finally {
    await end();
  }
}

function problemsOfTotals(): readonly string[] {
  return vscode.languages
    .getDiagnostics(program)
    .filter(({ source }) => source === "Spark" || source === "PySpark")
    .map(({ range, message }) => `${range.start.line + 1} ${message}`);
}

/** Starts a task that prints a text, with all problem matchers; returns a function that ends it. */
async function startTask(text: string): Promise<() => Promise<void>> {
  const writes = new vscode.EventEmitter<string>();
  const closes = new vscode.EventEmitter<number>();
  const terminal: vscode.Pseudoterminal = {
    onDidWrite: writes.event,
    onDidClose: closes.event,
    open: () => {
      writes.fire(text.replaceAll("\n", "\r\n"));
    },
    close: () => undefined,
  };
  const task = new vscode.Task(
    { type: "spark", application: "local:///app/orders.py" },
    vscode.TaskScope.Workspace,
    "a trace",
    "test",
    new vscode.CustomExecution(() => Promise.resolve(terminal)),
    matchers(),
  );
  // A new terminal, because a reused one prints the text before the problem matchers listen.
  task.presentationOptions = { panel: vscode.TaskPanelKind.New };
  const running = await vscode.tasks.executeTask(task);
  return async () => {
    const ended = new Promise<void>((resolve) => {
      const listener = vscode.tasks.onDidEndTask(({ execution }) => {
        if (execution !== running) return;
        listener.dispose();
        resolve();
      });
    });
    closes.fire(0);
    await ended;
    writes.dispose();
    closes.dispose();
  };
}

function matchers(): string[] {
  const manifest = vscode.extensions.getExtension("spark-k8s.spark-k8s")?.packageJSON as {
    contributes: { problemMatchers: readonly { name: string }[] };
  };
  return manifest.contributes.problemMatchers.map(({ name }) => `$${name}`);
}
