import { fileURLToPath } from "node:url";
import type { InlineConfig, Plugin } from "vite";

/** The first browsers with `light-dark()`. */
const browsers = ["chrome123", "firefox121", "safari17.5"];

/** Packages of every page. */
const vendor =
  /node_modules\/(react|react-dom|scheduler|wouter|regexparam|mitt|use-sync-external-store|@tanstack)\//;

/** Modules of the first screen that other pages use as well. */
const firstScreen =
  /studio\/src\/(texts\.ts|api|format|ui\/(icons|fold|copy|picture|choices|dialog|toast|button|field|notice|empty|load|is-typing|command-key)|data\/(queries|use-job|follow|read-events|connection|pause|random-key)|pages\/create\/(ratio-shape|use-debounced))/;

/**
 * Moves the styles of the pages to the end of the body. In the head they keep the browser from showing
 * that the page is loading; scripts still wait for them.
 */
const stylesLast: Plugin = {
  name: "styles-last",
  transformIndexHtml: {
    order: "post",
    handler(html) {
      const styles = html.match(/\s*<link rel="stylesheet"[^>]*\/assets\/[^>]*>/g) ?? [];
      return styles.reduce(
        (page, style) => page.replace(style, "").replace("\n  </body>", `${style}\n  </body>`),
        html,
      );
    },
  },
};

/** How Vite builds the pages. */
export const viteConfig: InlineConfig = {
  root: fileURLToPath(new URL(".", import.meta.url)),
  configFile: false,
  base: "/studio/",
  logLevel: "warn",
  plugins: [stylesLast],
  oxc: { jsx: { runtime: "automatic" } },
  build: {
    target: browsers,
    cssTarget: browsers,
    // The pages' CSP allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The writer of PDF files is loaded when a book is saved.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      onLog(level, log, handle) {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
      output: {
        codeSplitting: {
          groups: [
            // What every page needs. Other packages are loaded with the parts that use them.
            { name: "vendor", test: vendor },
            // What the first screen shares with other pages: many small files compress badly.
            { name: "first", test: firstScreen },
          ],
        },
      },
    },
  },
};
