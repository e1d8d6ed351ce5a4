// uPlot formats numbers with the language of the browser when it is loaded. A browser in the POSIX locale names a
// language that Intl rejects.
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US" });
}
