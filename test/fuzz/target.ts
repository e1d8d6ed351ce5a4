/** A parser or text sink, with sample inputs and a check of its invariants. */
export interface FuzzTarget {
  /** Also the name of its folder in `seeds/`. */
  readonly name: string;
  /** `bytes`: each character of the text stands for one byte (latin1). */
  readonly form: "text" | "bytes";
  /** Valid inputs, which are mutated. */
  readonly corpus: readonly string[];
  /** Tokens of the format, inserted at random places. */
  readonly words: readonly string[];
  /** The maximum input length in characters, as in the product. */
  readonly maxLength: number;
  /** Throws if an invariant is violated. Must take time linear in the length of the text. */
  readonly check: (text: string) => void;
}
