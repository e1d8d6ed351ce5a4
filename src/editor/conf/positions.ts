import { Position } from "vscode";

/** Returns a function that converts offsets in a text to positions, without a `TextDocument`. */
export function positionsOf(text: string): (offset: number) => Position {
  const starts = [0];
  for (const { index } of text.matchAll(/\n|\r(?!\n)/g)) starts.push(index + 1);
  return (offset) => {
    const line = Math.max(
      0,
      starts.findLastIndex((start) => start <= offset),
    );
    return new Position(line, offset - (starts[line] ?? 0));
  };
}
