const maxLength = 200;

/**
 * The relative path of a data file or folder that a text may be, without `./` and a final slash; undefined for other
 * texts. A path has a folder, or a file name with an extension; `*` and `?` stand for files in a folder.
 */
export function relativePathIn(text: string): string | undefined {
  const isPath =
    text.length <= maxLength &&
    /^(?:\.\/)?[\w-][\w.-]*(?:\/[\w.*?=-]+)*\/?$/.test(text) &&
    (text.includes("/") || /\.[A-Za-z]\w{1,7}$/.test(text)) &&
    !text.includes("..");
  return isPath ? text.replace(/^\.\/|\/$/g, "") : undefined;
}

/** The same for arguments of a program, `--input=data/orders.csv` too. */
export const relativePathsIn = (args: readonly string[]): readonly string[] =>
  args.flatMap((text) => relativePathIn(text.replace(/^--?[\w-]+=/, "")) ?? []);
