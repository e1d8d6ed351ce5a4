// Recognizes error messages of the log API for logs that are not available yet. The API has no reason codes for them.

/** True if the container has not started. */
export const isNotStarted = (detail: string): boolean =>
  /is waiting to start|does not have a host assigned/.test(detail);

/** True if the kubelet does not know the pod yet: it was just bound to the node, or the node has just restarted. */
export const isUnknownToNode = (detail: string): boolean =>
  /^the server could not find the requested resource|in pod "[^"]*" is (?:not available|terminated)$|cannot be found - no logs available/.test(
    detail,
  );
