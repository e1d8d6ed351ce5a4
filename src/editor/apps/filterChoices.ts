import { assertNever } from "../../base/assertNever.ts";
import { listed, msg, verbatim, type Message, type MessageText } from "../../base/message.ts";
import {
  stateClasses,
  type ApplicationFilter,
  type StateClass,
} from "../../spark/pods/applicationFilter.ts";

/** The filter condition that a row of the quick pick adds. */
export type FilterPart = Partial<{ stateClass: StateClass; namespace: string; user: string }>;

interface FilterChoice {
  readonly label: MessageText;
  readonly description?: Message;
  /** Undefined for a heading. */
  readonly means?: FilterPart;
}

/** Returns the rows of the filter quick pick. Omits the namespaces if there is only one. */
export function filterChoices(
  namespaces: readonly string[],
  userName: string,
): readonly FilterChoice[] {
  return [
    { label: msg("State") },
    ...stateClasses.map((stateClass) => ({
      label: stateClassWords(stateClass),
      means: { stateClass },
    })),
    { label: msg("User") },
    {
      label: msg("Mine"),
      description: msg`Spark user "${userName}"`,
      means: { user: userName },
    },
    ...(namespaces.length < 2
      ? []
      : [
          { label: msg("Namespace") },
          ...namespaces.map((namespace) => ({ label: namespace, means: { namespace } })),
        ]),
  ];
}

export const isSelected = (
  { stateClasses: some, namespaces, user }: ApplicationFilter,
  means: FilterPart | undefined,
): boolean =>
  (means?.stateClass !== undefined && some.has(means.stateClass)) ||
  (means?.namespace !== undefined && namespaces.has(means.namespace)) ||
  (means?.user !== undefined && user === means.user);

/**
 * Returns the filter for a typed text and the selected rows. Text that is the name of a state selects this state,
 * because users type the name of a row. Any other text is a part of the application's name or id. `show`: translates
 * the name of a state.
 */
export function filterOf(
  typed: string,
  selected: readonly (FilterPart | undefined)[],
  show: (name: Message) => string,
): ApplicationFilter {
  const text = typed.trim();
  const stateClass = stateClasses.find(
    (one) => show(stateClassWords(one)).toLowerCase() === text.toLowerCase(),
  );
  const chosen = selected.flatMap((means) => means?.stateClass ?? []);
  return {
    text: stateClass === undefined ? text : "",
    stateClasses: new Set(stateClass === undefined ? chosen : [...chosen, stateClass]),
    namespaces: new Set(selected.flatMap((means) => means?.namespace ?? [])),
    user: selected.map((means) => means?.user).find((user) => user !== undefined),
  };
}

/** Returns text such as `Failed, user ada, "orders"`; undefined without a filter. */
export const describeFilter = ({
  text,
  stateClasses: some,
  namespaces,
  user,
}: ApplicationFilter): Message | undefined =>
  listed([
    ...[...some].map(stateClassWords),
    ...[...namespaces].map(verbatim),
    user === undefined ? undefined : msg`user ${user}`,
    text === "" ? undefined : verbatim(`"${text}"`),
  ]);

function stateClassWords(stateClass: StateClass): Message {
  switch (stateClass) {
    case "running":
      return msg("Running");
    case "waiting":
      return msg("Waiting");
    case "failed":
      return msg("Failed");
    case "finished":
      return msg("Finished");
    default:
      return assertNever(stateClass);
  }
}
