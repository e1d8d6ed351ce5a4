/** Options as Spark splits them: at blanks, quotes taken off, a backslash before the next character. */
export function splitJavaOptions(text: string): readonly string[] {
  const options: string[] = [];
  let option: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? "";
    if (char === "\\" && quote !== "'") {
      index++;
      option = (option ?? "") + (text[index] ?? "");
    } else if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else option = (option ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      option ??= "";
    } else if (/\s/.test(char)) {
      if (option !== undefined) options.push(option);
      option = undefined;
    } else option = (option ?? "") + char;
  }
  return option === undefined ? options : [...options, option];
}
