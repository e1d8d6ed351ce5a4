/** A parser or a text sink with its invariants. */
export interface FuzzTarget {
  /** Also the name of its folder in `seeds/`. */
  readonly name: string;
  /** `bytes`: each character of the text is a byte (latin1). */
  readonly form: "text" | "bytes";
  /** Valid inputs, which are mutated. */
  readonly corpus: readonly string[];
  /** Tokens of the format, inserted at random places. */
  readonly words: readonly string[];
  /** The maximum input length in characters, as in the product. */
  readonly maxLength: number;
  /** Throws if the input is handled wrongly. Takes linear time. */
  readonly check: (text: string) => void;
}
