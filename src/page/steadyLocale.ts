// When uPlot is loaded, it creates a number format for the browser's language. In the POSIX locale the browser names
// a language that Intl rejects.
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US" });
}
