/**
 * The choice of a profile. `ask`: one question when packages are missing; the answer is remembered. `none`: the image is
 * not asked for its packages.
 */
export const packagesChoices = ["ask", "send", "none"] as const;
export type PackagesChoice = (typeof packagesChoices)[number];
