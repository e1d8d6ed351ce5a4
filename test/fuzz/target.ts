/** A parser or a text sink, with what must hold for any input. */
export interface FuzzTarget {
  /** Also the name of its folder in `seeds/`. */
  readonly name: string;
  /** `bytes`: the input is a text of which each character is a byte (latin1). */
  readonly form: "text" | "bytes";
  /** Valid inputs, which are mutated. */
  readonly corpus: readonly string[];
  /** Words of the format, which are put in anywhere. */
  readonly words: readonly string[];
  /** The length of the longest input, in characters: as long as the product would read. */
  readonly maxLength: number;
  /** Throws if the input is handled wrongly. Takes time in proportion to the length of the input. */
  readonly check: (text: string) => void;
}
