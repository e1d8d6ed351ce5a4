// Kubernetes' rules for names and labels.

const maxLabelLength = 63;

/** True for an RFC 1123 label: the name of a namespace, service, container or volume. */
export const isDnsLabel = (text: string): boolean =>
  text.length <= maxLabelLength && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text);

/** True for an RFC 1035 label: an RFC 1123 label that begins with a letter. */
export const isLetterLabel = (text: string): boolean => /^[a-z]/.test(text) && isDnsLabel(text);

/** True for an RFC 1123 subdomain: the name of a pod and most other objects. */
export const isDnsName = (text: string): boolean =>
  text.length <= 253 &&
  /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(text);

/** True for the value of a label. */
export const isLabelValue = (text: string): boolean => text === "" || isLabelWord(text);

/** True for the key of a label or an annotation, with or without a prefix. */
export function isLabelKey(key: string): boolean {
  const [name = "", prefix, more] = key.split("/").reverse();
  return more === undefined && isLabelWord(name) && (prefix === undefined || isDnsName(prefix));
}

const isLabelWord = (text: string): boolean =>
  text.length <= maxLabelLength && /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(text);
