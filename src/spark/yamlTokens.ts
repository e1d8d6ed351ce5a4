import { Lexer, Parser, type CST } from "yaml";

// The parser recurses once per nesting level. Manifests have a few dozen levels at most.
const maxOpen = 400;

/** Returns the tokens of YAML text. Undefined if the nesting is so deep that the stack could overflow. Never throws. */
export function yamlTokens(text: string): readonly CST.Token[] | undefined {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > maxOpen) return undefined;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}
