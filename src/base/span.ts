/** A range of text in UTF-16 code units; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const moveSpan = ({ start, end }: Span, by: number): Span => ({
  start: start + by,
  end: end + by,
});
