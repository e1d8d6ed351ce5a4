/** The parsed output of `inside/runSuite.ts`. */
export interface InsideReport {
  readonly exitCode: number;
  readonly results: readonly InsideResult[];
  /** All lines that the window logged. */
  readonly lines: readonly string[];
}

export interface InsideResult {
  readonly name: string;
  /** The stack of the error, which begins with its message; undefined if the test passed. */
  readonly failure: string | undefined;
}

export function readInsideReport(lines: readonly string[], exitCode: number): InsideReport {
  const results = lines.flatMap((line): readonly InsideResult[] => {
    const [, verdict, name, failure] =
      /^(ok|not ok) \d+ - (.*) \(\d+ ms\)(?:\n([^]*))?$/.exec(line) ?? [];
    if (name === undefined) return [];
    return [{ name, failure: verdict === "ok" ? undefined : (failure ?? "no reason given") }];
  });
  return { exitCode, results, lines };
}
