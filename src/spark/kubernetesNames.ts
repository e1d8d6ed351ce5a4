// Kubernetes' rules for names and labels.

const maxLabelLength = 63;

/** An RFC 1123 label: the name of a namespace, service, container or volume. */
export const isDnsLabel = (text: string): boolean =>
  text.length <= maxLabelLength && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text);

/** An RFC 1035 label: as an RFC 1123 label, but begins with a letter. */
export const isLetterLabel = (text: string): boolean => /^[a-z]/.test(text) && isDnsLabel(text);

/** An RFC 1123 subdomain: the name of a pod and most other objects. */
export const isDnsName = (text: string): boolean =>
  text.length <= 253 &&
  /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(text);

/** The value of a label. */
export const isLabelValue = (text: string): boolean => text === "" || isLabelWord(text);

/** The key of a label or an annotation, with or without a prefix. */
export function isLabelKey(key: string): boolean {
  const [name = "", prefix, more] = key.split("/").reverse();
  return more === undefined && isLabelWord(name) && (prefix === undefined || isDnsName(prefix));
}

const isLabelWord = (text: string): boolean =>
  text.length <= maxLabelLength && /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(text);
