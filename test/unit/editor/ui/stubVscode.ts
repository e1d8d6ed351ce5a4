// Replaces the module `vscode`, which exists only inside VS Code. Records all arguments and returns the values that a
// test sets.

type Fake = (...given: unknown[]) => unknown;

/** The arguments of all calls since the last `reset`. */
export const given: { readonly name: string; readonly values: readonly unknown[] }[] = [];

const fakes = new Map<string, Fake>();

/** Sets the function that replaces a function of VS Code. */
export const answerTo = (name: string, fake: Fake): void => {
  fakes.set(name, fake);
};

export const reset = (): void => {
  given.length = 0;
  fakes.clear();
};

const namespace = (): Readonly<Record<string, Fake>> =>
  new Proxy<Record<string, Fake>>(
    {},
    {
      get:
        (_, name) =>
        (...values: unknown[]) => {
          given.push({ name: String(name), values });
          return fakes.get(String(name))?.(...values);
        },
    },
  );

export const window = namespace();
export const languages = namespace();

export const ProgressLocation = { Window: 10, Notification: 15 } as const;

/** Formats messages in English, without a translation. */
export const l10n = {
  t: (template: string, ...values: readonly (string | number)[]): string =>
    template.replaceAll(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)])),
};

export class MarkdownString {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class Hover {
  readonly contents: readonly unknown[];
  readonly range: unknown;

  constructor(contents: unknown, range?: unknown) {
    this.contents = Array.isArray(contents) ? contents : [contents];
    this.range = range;
  }
}

export class CodeAction {
  readonly title: string;

  constructor(title: string) {
    this.title = title;
  }
}

/** A `file` URI. */
export class Uri {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get fsPath(): string {
    return this.path;
  }

  with({ path }: { readonly path: string }): Uri {
    return new Uri(path);
  }
}

export const env = namespace();
export const workspace = namespace();
export const extensions = namespace();
