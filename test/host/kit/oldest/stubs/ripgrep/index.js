// @vscode/ripgrep downloads its binary when it is installed; @vscode/ripgrep-universal carries it.
export { rgPath } from "@vscode/ripgrep-universal";
