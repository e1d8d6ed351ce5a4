/**
 * The content of a character class: invisible characters that change how surrounding text is displayed. These are C0
 * and C1 controls except tab, line separators, bidirectional controls, and zero-width characters that no script needs.
 */
export const unseenCharacters =
  "\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff";
