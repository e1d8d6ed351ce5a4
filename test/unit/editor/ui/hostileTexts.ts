import fc from "fast-check";

const attacks = [
  "[Show details](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22x%22%7D)",
  '[a](command:x "title")',
  "[a](http://evil.example/a 'title')",
  "[a](file:///etc/passwd)",
  "[[a]](command:x)",
  "[a]\u2060(command:x)",
  "[a]\u0000(command:x)",
  "[a]\u001b[0m(command:x)",
  "[a]\n(command:x)",
  "[a](COMMAND:x)",
  "$(flame)",
  "\\$(flame)",
  "\\\\$(sync~spin)",
  "$\u202e(flame)",
  "$\u001b[1m(flame)",
  "![i](https://evil.example/i.png)",
  "[a][r]\n\n[r]: command:x\n",
  "<command:x> <https://evil.example> <img src=x onerror=y> <!-- c -->",
  "https://evil.example www.evil.example a@evil.example",
  "# head\n- item\n1. one\n> quote\n```\ncode\n```\n    code\n|a|b|\n|-|-|\n***\n~~gone~~ **bold** _it_ `code`",
  "head\n====\n\n\n\n\nhead\n----",
  "&lt;b&gt; &#91;a](command:x)",
  "\u001b]8;;command:x\u0007over\u001b]8;;\u0007",
  "\u001b[31mred\u001b[0m \u009b31m \u0090q\u009c",
  "\u202egnp.exe\u202c\u2066a\u2069\u200f\u061c",
  "\ud83d",
  "\ude00",
  "\ud83d\ude00",
  "\r\n\t\v\f\u0085\u2028\u2029\ufeff\u200b",
  "]",
  "(",
  "$",
  "\\",
  ")",
  "(command:x)",
  "(flame)",
  "[a]",
];

/** Texts that try to become links, commands, icons or markup. */
export const hostileTexts = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...attacks) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 5 }) },
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

const megabyte = (part: string): string => part.repeat(Math.ceil(2 ** 20 / part.length));

/** A million repetitions of each character that could make a search or replacement slow. */
export const longTexts: readonly string[] = [
  ...["](", "$(", "[", " ", "\n", "\t", "\\", "`", "\u001b[", "\u001b[3", "\u202e", "\ud83d", "a"],
  ...attacks,
].map(megabyte);
