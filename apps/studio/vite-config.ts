import { fileURLToPath } from "node:url";
import type { InlineConfig } from "vite";

/** The first browsers with `light-dark()`. */
const browsers = ["chrome123", "firefox121", "safari17.5"];

/** How Vite builds the pages. */
export const viteConfig: InlineConfig = {
  root: fileURLToPath(new URL(".", import.meta.url)),
  configFile: false,
  base: "/studio/",
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic" } },
  build: {
    target: browsers,
    cssTarget: browsers,
    // The pages' CSP allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      onLog(level, log, handle) {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
      // Only the import of stories and the page Skills need these packages.
      output: {
        codeSplitting: {
          groups: [{ name: "vendor", test: /node_modules\/(?!fflate|zod|fastest-levenshtein)/ }],
        },
      },
    },
  },
};
