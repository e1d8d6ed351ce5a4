/** Tests by name. A test fails if it throws. */
export type Suite = Readonly<Record<string, () => Promise<void>>>;

/**
 * Runs tests one after the other in an extension host and prints a line for each, which
 * `insideReport.ts` parses. Throws at the end if one failed, so that the host exits with code 1.
 */
export async function runSuite(suite: Suite): Promise<void> {
  const tests = Object.entries(suite);
  const failed: string[] = [];
  for (const [index, [name, test]] of tests.entries()) {
    const begun = Date.now();
    const line = (): string => `${index + 1} - ${name} (${Date.now() - begun} ms)`;
    try {
      await test();
      console.log(`ok ${line()}`);
    } catch (error) {
      failed.push(name);
      console.log(`not ok ${line()}\n${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  console.log(`# ${tests.length} tests, ${failed.length} failed`);
  if (failed.length > 0) throw new Error(`failed: ${failed.join("; ")}`);
}

/** Polls until `read` returns a value. Throws after 20 s. */
export async function until<T>(what: string, read: () => T | undefined): Promise<T> {
  for (const end = Date.now() + 20_000; ;) {
    const value = read();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`${what}: not within 20 s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
