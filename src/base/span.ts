/** A piece of a text: offsets in UTF-16 code units, the end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const moveSpan = ({ start, end }: Span, by: number): Span => ({
  start: start + by,
  end: end + by,
});
