// What servers say of logs that are not there yet: the API has no reasons of its own for it, only sentences.

/** The container has printed nothing, as it has not started. */
export const isNotStarted = (detail: string): boolean =>
  /is waiting to start|does not have a host assigned/.test(detail);

/**
 * The API server knows the pod, but its node does not: the pod has just been given to the node, or the node has
 * just started and has yet to learn of its pods.
 */
export const isUnknownToNode = (detail: string): boolean =>
  /^the server could not find the requested resource|in pod "[^"]*" is (?:not available|terminated)$|cannot be found - no logs available/.test(
    detail,
  );
