// Checks that interfaces of options and dependencies have at most 12 members, or a docstring with the reason for more.
import assert from "node:assert/strict";
import { test } from "node:test";
import ts from "typescript";
import { readSources, type Source } from "./sources.ts";

const maxMembers = 12;
const bagName = /(?:Options|Context|Services|Ports|World|Place)$/;
const reason = "More than a dozen members, because";

interface Bag {
  readonly path: string;
  readonly own: readonly string[];
  readonly bases: readonly Base[];
  readonly comment: string;
}

/** A base interface. `named` contains the members that `Pick` keeps or `Omit` drops. */
interface Base {
  readonly kind: "all" | "pick" | "omit";
  readonly name: string;
  readonly named: readonly string[];
}

/** Returns interfaces by name, because exported names are unique in the project. */
function bagsIn(sources: readonly Source[]): ReadonlyMap<string, Bag> {
  const bags = new Map<string, Bag>();
  for (const { path, text } of sources) {
    if (!text.includes("interface ")) continue;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    for (const statement of file.statements) {
      if (!ts.isInterfaceDeclaration(statement)) continue;
      bags.set(statement.name.text, {
        path,
        own: statement.members.flatMap(({ name }) => (name ? [name.getText(file)] : [])),
        bases: (statement.heritageClauses ?? []).flatMap(({ types }) =>
          types.map((type) => baseOf(type, file)),
        ),
        comment: text.slice(statement.getFullStart(), statement.getStart(file)),
      });
    }
  }
  return bags;
}

function baseOf(
  { expression, typeArguments }: ts.ExpressionWithTypeArguments,
  file: ts.SourceFile,
): Base {
  const [first, second] = typeArguments ?? [];
  const name = expression.getText(file);
  const named = second?.getText(file).match(/\w+/g) ?? [];
  const of = first?.getText(file) ?? "";
  if (name === "Pick") return { kind: "pick", name: of, named };
  return name === "Omit" ? { kind: "omit", name: of, named } : { kind: "all", name, named: [] };
}

function membersOf(name: string, bags: ReadonlyMap<string, Bag>): ReadonlySet<string> {
  const bag = bags.get(name);
  const members = new Set(bag?.own);
  for (const { kind, name: base, named } of bag?.bases ?? []) {
    const inherited = kind === "pick" ? named : membersOf(base, bags);
    for (const one of inherited) {
      if (kind !== "omit" || !named.includes(one)) members.add(one);
    }
  }
  return members;
}

const tooLarge = (sources: readonly Source[]): readonly string[] => {
  const bags = bagsIn(sources);
  return [...bags].flatMap(([name, { path, comment }]) => {
    const { size } = membersOf(name, bags);
    const isFine = size <= maxMembers || !bagName.test(name) || plain(comment).includes(reason);
    return isFine ? [] : [`${path} ${name}: ${size} members`];
  });
};

const plain = (comment: string): string => comment.replace(/[\s*]+/g, " ");

test("option bags have at most a dozen members, or a reason", async () => {
  assert.deepEqual(tooLarge(await readSources("src", ".ts")), []);
});

test("finds a large bag, also one that inherits its members, unless it has a reason", () => {
  const own = Array.from({ length: 12 }, (_, at) => `m${at}: string;`).join("");
  const checked = (text: string): readonly string[] => tooLarge([{ path: "a.ts", text }]);
  const base = `interface Base { ${own} }`;
  assert.deepEqual(checked(`interface RunOptions { ${own} }`), []);
  assert.deepEqual(checked(`interface RunOptions { ${own} more(): void; }`), [
    "a.ts RunOptions: 13 members",
  ]);
  assert.deepEqual(checked(`${base} interface RunOptions extends Base { more: string }`), [
    "a.ts RunOptions: 13 members",
  ]);
  assert.deepEqual(
    checked(`${base} interface RunOptions extends Omit<Base, "m1" | "m2"> { more: string }`),
    [],
  );
  assert.deepEqual(
    checked(`/** ${reason} it is the entry. */ interface RunOptions { ${own} more: string }`),
    [],
  );
});
