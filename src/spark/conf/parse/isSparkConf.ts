// Enough to see past a license header.
const maxLines = 100;
const maxLineLength = 2000;

/** `spark.executor.memory 4g`, `spark.app.name=etl`. */
const sparkSetting = /^spark(?:\.[A-Za-z][\w-]*)+(?:\s*[=:]|[ \t]+)\s*\S/;

/** True if at least half of the settings among the first lines of a properties file are `spark.*`. */
export function isSparkConf(head: string): boolean {
  let settings = 0;
  let others = 0;
  let isContinued = false;
  for (const line of firstLines(head)) {
    const text = line.slice(0, maxLineLength).trim();
    const isOwn: boolean = !isContinued && text !== "" && !/^[#!]/.test(text);
    isContinued = (isOwn || isContinued) && /(?:^|[^\\])(?:\\\\)*\\$/.test(text);
    if (!isOwn) continue;
    if (sparkSetting.test(text)) settings += 1;
    else others += 1;
  }
  return settings > 0 && settings >= others;
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
