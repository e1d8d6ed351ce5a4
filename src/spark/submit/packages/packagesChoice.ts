/**
 * How a profile treats missing packages. `ask`: asks if packages are missing, and remembers the answer. `send`: sends
 * them. `none`: does not look up the packages of the image.
 */
export const packagesChoices = ["ask", "send", "none"] as const;
export type PackagesChoice = (typeof packagesChoices)[number];
