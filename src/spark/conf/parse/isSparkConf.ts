// Maximum number of lines to read, enough to reach the settings after a license header.
const maxLines = 100;
const maxLineLength = 2000;

/**
 * True if the first lines of a properties file have a `spark.*` setting, and at least half of their settings are such.
 */
export function isSparkConf(head: string): boolean {
  let settings = 0;
  let others = 0;
  let isContinued = false;
  for (const line of firstLines(head)) {
    const text = line.slice(0, maxLineLength).trim();
    const isOwn: boolean = !isContinued && text !== "" && !/^[#!]/.test(text);
    isContinued = (isOwn || isContinued) && endsInBackslash(text);
    if (!isOwn) continue;
    if (isSparkSetting(text)) settings += 1;
    else others += 1;
  }
  return settings > 0 && settings >= others;
}

/** True for a line such as `spark.executor.memory 4g` or `spark.app.name=etl`. */
function isSparkSetting(line: string): boolean {
  const key = /^spark\.[A-Za-z][\w.-]*/.exec(line)?.[0];
  if (key === undefined) return false;
  const rest = line.slice(key.length);
  const value = rest.trimStart();
  if (/^[=:]/.test(value)) return value.slice(1).trimStart() !== "";
  return value !== "" && value !== rest;
}

/** True if the line ends in an odd number of backslashes, which continues it. */
function endsInBackslash(line: string): boolean {
  let count = 0;
  while (line.at(-1 - count) === "\\") count += 1;
  return count % 2 === 1;
}

function* firstLines(text: string): Generator<string> {
  let start = 0;
  for (let count = 0; count < maxLines && start < text.length; count += 1) {
    const end = text.indexOf("\n", start);
    yield text.slice(start, end < 0 ? text.length : end);
    if (end < 0) return;
    start = end + 1;
  }
}
