/**
 * The values of `pythonPackages` in a run profile. `ask`: if packages are missing, a prompt lets the user choose.
 * `send`: sends missing packages. `none`: does not look up the packages of the image.
 */
export const packagesChoices = ["ask", "send", "none"] as const;
export type PackagesChoice = (typeof packagesChoices)[number];
