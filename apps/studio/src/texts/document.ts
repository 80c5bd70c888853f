/** Texts of the page before its scripts have arrived; the build writes them into the HTML files. */
export const texts = {
  consoleLoading: "Loading the console…",
  consoleNoScript: "The console needs JavaScript. The operators' commands work without it.",
  loading: "Loading Studio…",
  noScript: "Studio needs JavaScript. The API works without it: see /docs.",
};
