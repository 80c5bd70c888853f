/** Texts of the page before its scripts have arrived; the build writes them into `index.html`. */
export const texts = {
  loading: "Loading Studio…",
  noScript: "Studio needs JavaScript. The API works without it: see /docs.",
};
