import { msg, type Message } from "../../../base/message.ts";
import { isRecord } from "../../../base/json.ts";
import { nearestWord } from "../../conf/nearest/words.ts";
import { deliveries, type DeliveryChoice } from "../code/chooseDelivery.ts";
import { sparkVersionOfImage } from "../conf/sparkVersion.ts";
import { packagesChoices, type PackagesChoice } from "../packages/packagesChoice.ts";
import type { Checked, SubmissionCode, SubmissionFinding } from "../plan/submissionFinding.ts";
import type { TokenInput } from "../plan/submissionInput.ts";
import { shellKinds, type ShellKind } from "../shell/shellKind.ts";

/** A named submission: an entry of the type `spark` in tasks.json. */
export interface RunProfile extends ProfileSettings {
  /** The main application resource. */
  readonly application: string;
  readonly label?: string;
  /** The kubeconfig context; undefined: the current one. */
  readonly context?: string;
  /**
   * Builds the application before the run: the label of a task, or a command line. Undefined: a Scala or Java file is
   * built by the command of its build tool. Empty: nothing is built.
   */
  readonly build?: string;
  /** A glob for the jar that the build of a Scala or Java file creates, relative to the project. */
  readonly artifact?: string;
  /** Overrides for contexts, by context name. */
  readonly contexts?: Readonly<Record<string, ContextSettings>>;
  /** Set by Open Spark Shell: the driver pod runs this shell in place of the application. */
  readonly shell?: ShellKind;
}

/** Members that a context may override. Conf keys without their own member are in `conf`. */
interface ProfileSettings {
  readonly class?: string;
  readonly args?: readonly string[];
  readonly name?: string;
  readonly image?: string;
  /** The Spark version. Undefined: the version in the image's tag. */
  readonly sparkVersion?: string;
  /** The API server. Undefined: the server of the context. */
  readonly master?: string;
  readonly namespace?: string;
  readonly serviceAccount?: string;
  readonly proxyUser?: string;
  readonly conf?: Readonly<Record<string, string>>;
  readonly propertiesFile?: string;
  readonly extraPropertiesFiles?: readonly string[];
  readonly loadSparkDefaults?: boolean;
  readonly jars?: readonly string[];
  readonly files?: readonly string[];
  readonly pyFiles?: readonly string[];
  readonly archives?: readonly string[];
  readonly packages?: readonly string[];
  readonly follow?: FollowChoice;
  /** Globs for additional workspace files to send, relative to the working directory. */
  readonly include?: readonly string[];
  /** Globs for files that are not sent, even if the application imports them. */
  readonly exclude?: readonly string[];
  /** How local files reach the driver if the conf has no upload path. */
  readonly delivery?: DeliveryChoice;
  /** The treatment of Python packages that the image lacks. */
  readonly pythonPackages?: PackagesChoice;
}

interface ContextSettings extends ProfileSettings {
  readonly application?: string;
  /** True: each run needs a confirmation. A profile can require one, but not disable it. */
  readonly confirm?: boolean;
}

/** The pods whose logs are shown after a submission. */
export type FollowChoice = (typeof follows)[number];
const follows = ["driver", "all", "none"] as const;

/** The target of a run, for members that the profile does not set. */
interface ProfilePlace {
  /** The context's API server, for a profile without `master`; undefined without a context. */
  readonly master: string | undefined;
  /** The context's namespace, for a profile without `namespace`. */
  readonly namespace: string | undefined;
  /** The current context. */
  readonly context: string | undefined;
  /** The Spark version, if neither the profile nor the image's tag names one. */
  readonly sparkVersion: string;
}

/** The conf keys that have their own members. */
export const memberKeys = {
  name: "spark.app.name",
  image: "spark.kubernetes.container.image",
  master: "spark.master",
  context: "spark.kubernetes.context",
  namespace: "spark.kubernetes.namespace",
  serviceAccount: "spark.kubernetes.authenticate.driver.serviceAccountName",
  jars: "spark.jars",
  files: "spark.files",
  pyFiles: "spark.submit.pyFiles",
  archives: "spark.archives",
  packages: "spark.jars.packages",
} as const;

/** Decodes a profile from a task's definition. Omits invalid and unknown members, and reports them. */
export function decodeRunProfile(json: unknown): Checked<RunProfile> {
  const findings: SubmissionFinding[] = [];
  const at: Place = { path: [], report: (finding) => void findings.push(finding) };
  if (!isRecord(json)) {
    at.report(problems.wrongType(msg("an object"), at));
    return { value: { application: "" }, findings };
  }
  const { application = "", ...rest } = readMembers(json, profileReaders, taskMembers, at);
  if (application === "") at.report(problems.noApplication(at));
  reportClashes(json, at);
  return { value: { ...rest, application }, findings };
}

/** Returns the profile with the overrides of a context applied. Conf entries are merged by key. */
export function profileIn(profile: RunProfile, context: string | undefined): RunProfile {
  const own = context === undefined ? undefined : profile.contexts?.[context];
  if (own === undefined) return profile;
  const merged = own.conf === undefined ? {} : { conf: { ...profile.conf, ...own.conf } };
  return { ...profile, ...own, ...merged };
}

/** True if the profile requires a confirmation in the context. */
export const needsConfirmation = ({ contexts }: RunProfile, context: string | undefined): boolean =>
  context !== undefined && contexts?.[context]?.confirm === true;

/** Returns the command line of a profile. `place`: the target, for members that the profile does not set. */
export function profileToSubmission(profile: RunProfile, place: ProfilePlace): TokenInput {
  const context = profile.context ?? place.context;
  const settings = profileIn(profile, context);
  const { image, sparkVersion } = settings;
  const named = image === undefined ? undefined : sparkVersionOfImage(image);
  const { master } = settings;
  return {
    kind: "tokens",
    sparkVersion: sparkVersion ?? named ?? place.sparkVersion,
    fallbacks: {
      ...(place.master === undefined ? {} : { [memberKeys.master]: masterText(place.master) }),
      ...(place.namespace === undefined ? {} : { [memberKeys.namespace]: place.namespace }),
    },
    tokens: [
      ...(master === undefined ? [] : ["--master", masterText(master)]),
      "--deploy-mode",
      "cluster",
      ...profileTokens(settings),
    ],
  };
}

const masterText = (server: string): string =>
  server.startsWith("k8s://") ? server : `k8s://${server}`;

/** Returns the tokens of the profile's members, without the options `--master` and `--deploy-mode`. */
export const profileTokens = (settings: RunProfile): readonly string[] =>
  profileWords(settings).map(({ token }) => token);

/**
 * Returns the JSON path of the member that a token of the command line comes from. `written`: the profile in the file.
 * `submitted`: the argument of `profileToSubmission`. Empty for the deploy mode; undefined for a token after the last
 * one.
 */
export function memberOfToken(
  written: RunProfile,
  submitted: RunProfile,
  context: string | undefined,
  token: number,
): readonly string[] | undefined {
  // The options for master and deploy mode come first.
  const before = submitted.master === undefined ? [] : [["master"], ["master"]];
  const words = profileWords(submitted).map((word) => word.member);
  const member = [...before, [], [], ...words][token];
  if (member === undefined || context === undefined) return member;
  const own: unknown = written.contexts?.[context];
  return hasMember(own, member) ? ["contexts", context, ...member] : member;
}

function hasMember(settings: unknown, [name, key]: readonly string[]): boolean {
  if (!isRecord(settings) || name === undefined || !(name in settings)) return false;
  const member = settings[name];
  return name !== "conf" || key === undefined || (isRecord(member) && key in member);
}

interface ProfileWord {
  readonly token: string;
  /** The JSON path of the member. */
  readonly member: readonly string[];
}

function profileWords(settings: RunProfile): readonly ProfileWord[] {
  const words = (member: readonly string[], tokens: readonly string[]): readonly ProfileWord[] =>
    tokens.map((token) => ({ token, member }));
  const option = (name: string, member: keyof RunProfile): readonly ProfileWord[] => {
    const value = settings[member];
    return typeof value === "string" ? words([member], [name, value]) : [];
  };
  const options = (name: string, member: ListMember): readonly ProfileWord[] => {
    const values = settings[member] ?? [];
    return values.length === 0 ? [] : words([member], [name, values.join(",")]);
  };
  const conf = (member: keyof RunProfile & keyof typeof memberKeys): readonly ProfileWord[] => {
    const value = settings[member];
    if (typeof value !== "string") return [];
    return words([member], ["--conf", `${memberKeys[member]}=${value}`]);
  };
  return [
    ...option("--name", "name"),
    ...option("--class", "class"),
    ...option("--proxy-user", "proxyUser"),
    ...option("--properties-file", "propertiesFile"),
    ...(settings.extraPropertiesFiles ?? []).flatMap((path, index) =>
      words(["extraPropertiesFiles", `${index}`], ["--extra-properties-file", path]),
    ),
    ...(settings.loadSparkDefaults === true
      ? words(["loadSparkDefaults"], ["--load-spark-defaults"])
      : []),
    ...Object.entries(settings.conf ?? {}).flatMap(([key, value]) =>
      words(["conf", key], ["--conf", `${key}=${value}`]),
    ),
    // These options follow the entries of `conf`, because Spark uses the last value of a key.
    ...conf("context"),
    ...conf("namespace"),
    ...conf("image"),
    ...conf("serviceAccount"),
    ...options("--jars", "jars"),
    ...options("--files", "files"),
    ...options("--py-files", "pyFiles"),
    ...options("--archives", "archives"),
    ...options("--packages", "packages"),
    ...words(["application"], [settings.application]),
    ...(settings.args ?? []).flatMap((argument, index) => words(["args", `${index}`], [argument])),
  ];
}

type ListMember = "jars" | "files" | "pyFiles" | "archives" | "packages";

interface Place {
  readonly path: readonly string[];
  readonly report: (finding: SubmissionFinding) => void;
}

/** Decodes a member. Reports an invalid value and returns undefined for a member of the wrong type. */
type Reader<T> = (value: unknown, at: Place) => T | undefined;
type Readers<T> = { readonly [K in keyof Required<T>]: Reader<Required<T>[K]> };

const text: Reader<string> = (value, at) => {
  if (typeof value === "string") return value;
  at.report(problems.wrongType(msg("a string"), at));
  return undefined;
};

const flag: Reader<boolean> = (value, at) => {
  if (typeof value === "boolean") return value;
  at.report(problems.wrongType(msg("true or false"), at));
  return undefined;
};

const texts: Reader<readonly string[]> = (value, at) => {
  if (!Array.isArray(value)) {
    at.report(problems.wrongType(msg("an array of strings"), at));
    return undefined;
  }
  return value.flatMap((item: unknown, index) => {
    const read = text(item, inside(at, `${index}`));
    return read === undefined ? [] : [read];
  });
};

// Also accepts JSON numbers and booleans, because their string forms are unambiguous.
const confValue: Reader<string> = (value, at) =>
  typeof value === "number" || typeof value === "boolean" ? `${value}` : text(value, at);

const recordOf =
  <T>(read: Reader<T>): Reader<Readonly<Record<string, T>>> =>
  (value, at) => {
    if (!isRecord(value)) {
      at.report(problems.wrongType(msg("an object"), at));
      return undefined;
    }
    const entries = Object.entries(value).flatMap(([key, member]) => {
      const decoded = read(member, inside(at, key));
      return decoded === undefined ? [] : [[key, decoded] as const];
    });
    return Object.fromEntries(entries);
  };

const follow: Reader<FollowChoice> = (value, at) => {
  const written = text(value, at);
  if (written === undefined) return undefined;
  const found = follows.find((known) => known === written);
  if (found === undefined) at.report(problems.badFollow(written, at));
  return found;
};

const delivery: Reader<DeliveryChoice> = (value, at) => {
  const written = text(value, at);
  if (written === undefined) return undefined;
  const found = deliveries.find((known) => known === written);
  if (found === undefined) at.report(problems.badDelivery(written, at));
  return found;
};

const pythonPackages: Reader<PackagesChoice> = (value, at) => {
  const written = text(value, at);
  if (written === undefined) return undefined;
  const found = packagesChoices.find((known) => known === written);
  if (found === undefined) at.report(problems.badPackages(written, at));
  return found;
};

const shell: Reader<ShellKind> = (value, at) => {
  const written = text(value, at);
  if (written === undefined) return undefined;
  const found = shellKinds.find((known) => known === written);
  if (found === undefined) at.report(problems.badShell(written, at));
  return found;
};

const confirm: Reader<boolean> = (value, at) => {
  const read = flag(value, at);
  if (read === false) at.report(problems.loosened(at));
  return read;
};

const settingsReaders: Readers<ProfileSettings> = {
  class: text,
  args: texts,
  name: text,
  image: text,
  sparkVersion: text,
  master: text,
  namespace: text,
  serviceAccount: text,
  proxyUser: text,
  conf: recordOf(confValue),
  propertiesFile: text,
  extraPropertiesFiles: texts,
  loadSparkDefaults: flag,
  jars: texts,
  files: texts,
  pyFiles: texts,
  archives: texts,
  packages: texts,
  follow,
  include: texts,
  exclude: texts,
  delivery,
  pythonPackages,
};

const contextReaders: Readers<ContextSettings> = { ...settingsReaders, application: text, confirm };

const contextSettings: Reader<ContextSettings> = (value, at) => {
  if (!isRecord(value)) {
    at.report(problems.wrongType(msg("an object"), at));
    return undefined;
  }
  reportClashes(value, at);
  return readMembers(value, contextReaders, [], at);
};

const profileReaders: Readers<RunProfile> = {
  ...settingsReaders,
  application: text,
  label: text,
  context: text,
  build: text,
  artifact: text,
  contexts: recordOf(contextSettings),
  shell,
};

/** Members that VS Code defines for all tasks, and `startedAs`, which distinguishes runs of the same profile. */
const taskMembers: readonly string[] = [
  "type",
  "startedAs",
  "dependsOn",
  "dependsOrder",
  "detail",
  "group",
  "hide",
  "icon",
  "isBackground",
  "linux",
  "options",
  "osx",
  "presentation",
  "problemMatcher",
  "promptOnClose",
  "runOptions",
  "windows",
];

function readMembers<T extends object>(
  json: Readonly<Record<string, unknown>>,
  readers: Readers<T>,
  others: readonly string[],
  at: Place,
): Partial<T> {
  const known = new Map<string, Reader<unknown>>(Object.entries(readers));
  const members = Object.entries(json).flatMap(([name, value]) => {
    const read = known.get(name);
    const here = inside(at, name);
    if (read === undefined) {
      if (!others.includes(name)) {
        at.report(problems.unknownMember(name, nearestWord(name, [...known.keys()]), here));
      }
      return [];
    }
    const decoded = read(value, here);
    return decoded === undefined ? [] : [[name, decoded] as const];
  });
  // Safe cast: every key is a key of `readers`, and its reader decoded the value.
  return Object.fromEntries(members) as Partial<T>;
}

// Reports conf keys that have their own member, because the member wins.
function reportClashes(json: Readonly<Record<string, unknown>>, at: Place): void {
  const { conf } = json;
  if (!isRecord(conf)) return;
  for (const [member, key] of Object.entries(memberKeys)) {
    if (json[member] === undefined || conf[key] === undefined) continue;
    at.report(problems.saidTwice(key, member, inside(inside(at, "conf"), key)));
  }
}

const inside = (at: Place, name: string): Place => ({ ...at, path: [...at.path, name] });

const problems = {
  noApplication: (at: Place) =>
    finding(
      "E-80",
      msg('The profile needs "application": a jar, a .py, .R, .scala or .java file.'),
      at,
    ),
  unknownMember: (name: string, meant: string | undefined, at: Place) =>
    finding(
      "E-81",
      meant === undefined
        ? msg`A run profile has no property "${name}".`
        : msg`A run profile has no property "${name}". Did you mean "${meant}"?`,
      at,
      { suggestions: meant === undefined ? [] : [meant] },
    ),
  wrongType: (expected: Message, at: Place) => {
    const subject = at.path.length === 0 ? msg("A run profile") : `"${at.path.join(".")}"`;
    return finding("E-82", msg`${subject} must be ${expected}.`, at);
  },
  badFollow: (text: string, at: Place) =>
    finding("E-83", msg`"follow" must be "driver", "all" or "none", not "${text}".`, at, {
      suggestions: ["driver", "all", "none"],
    }),
  badDelivery: (text: string, at: Place) =>
    finding(
      "E-88",
      msg`"delivery" must be "automatic", "configMap" or "stream", not "${text}".`,
      at,
      {
        suggestions: deliveries,
      },
    ),
  badPackages: (text: string, at: Place) =>
    finding("E-86", msg`"pythonPackages" must be "ask", "send" or "none", not "${text}".`, at, {
      suggestions: packagesChoices,
    }),
  badShell: (text: string, at: Place) =>
    finding(
      "E-87",
      msg`"shell" must be "pyspark", "spark-shell" or "spark-sql", not "${text}".`,
      at,
      {
        suggestions: shellKinds,
      },
    ),
  saidTwice: (key: string, member: string, at: Place) =>
    finding("W-80", msg`"${key}" has no effect because "${member}" is set.`, at, { key }),
  loosened: (at: Place) =>
    finding("W-81", msg("A profile can require a confirmation, but not disable it."), at),
} as const;

function finding(
  code: SubmissionCode,
  message: Message,
  { path }: Place,
  { key, suggestions }: Partial<Pick<SubmissionFinding, "key" | "suggestions">> = {},
): SubmissionFinding {
  return {
    code,
    severity: code.startsWith("E") ? "error" : "warning",
    message,
    key,
    origin: { kind: "member", path },
    ...(suggestions === undefined ? {} : { suggestions }),
  };
}
