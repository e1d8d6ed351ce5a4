const maxLength = 200;

/**
 * Returns the text as the relative path of a data file or folder, without `./` and a trailing slash. Undefined if the
 * text has neither a slash nor a file extension, or is no such path. Names in a folder may have the wildcards `*`, `?`.
 */
export function relativePathIn(text: string): string | undefined {
  const isPath =
    text.length <= maxLength &&
    /^(?:\.\/)?[\w-][\w.-]*(?:\/[\w.*?=-]+)*\/?$/.test(text) &&
    (text.includes("/") || /\.[A-Za-z]\w{1,7}$/.test(text)) &&
    !text.includes("..");
  return isPath ? text.replace(/^\.\/|\/$/g, "") : undefined;
}

/**
 * Returns the relative paths among a program's arguments, including those of options such as `--input=data/orders.csv`.
 */
export const relativePathsIn = (args: readonly string[]): readonly string[] =>
  args.flatMap((text) => relativePathIn(text.replace(/^--?[\w-]+=/, "")) ?? []);
