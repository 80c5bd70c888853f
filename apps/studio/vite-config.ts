import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { studioLanguages, type StudioLanguage } from "@atelier/schemas";
import type { InlineConfig, Plugin } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const sources = join(root, "src");

/** The first browsers with `light-dark()`. */
const browsers = ["chrome123", "firefox121", "safari17.5"];

/** Packages of every page. */
const vendor =
  /node_modules\/(react|react-dom|scheduler|wouter|regexparam|mitt|use-sync-external-store|@tanstack)\//;

/** Modules of the first screen that other pages use as well. */
const firstScreen =
  /studio\/src\/(texts\.ts|languages\/\w+\/texts\.ts|language\.ts|api|format|ui\/(icons|fold|copy|picture|choices|dialog|toast|button|field|notice|empty|load|is-typing|command-key)|data\/(queries|use-job|follow|read-events|connection|pause|random-key)|pages\/create\/(ratio-shape|use-debounced))/;

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

/** The pages of account holders, or the operators' console, which only the admin port serves. */
export type App = "studio" | "console";

/** The HTML file of each app, the folder of its build, and the path that serves it. */
export const apps = {
  studio: { page: "index.html", folder: ".", base: "/studio/" },
  console: { page: "console.html", folder: "console", base: "/admin/" },
} as const;

/** The licences of the fonts, by the names of their files. */
const licences = {
  "licence-inter.txt": "@fontsource-variable/inter/LICENSE",
  "licence-literata.txt": "@expo-google-fonts/literata/LICENSE_FONT",
  "licence-source-sans-3.txt": "@expo-google-fonts/source-sans-3/LICENSE_FONT",
};

/** Puts the licences of the fonts beside them, as the SIL Open Font License asks for. */
const fontLicences: Plugin = {
  name: "font-licences",
  async generateBundle(_options, bundle) {
    const { resolve: find } = createRequire(import.meta.url);
    const files = Object.keys(bundle).map((name) => name.toLowerCase().replaceAll("-", ""));
    for (const [fileName, path] of Object.entries(licences)) {
      const font = fileName.slice("licence-".length, -".txt".length).replaceAll("-", "");
      if (!files.some((name) => name.startsWith(`assets/${font}`))) continue;
      const source = await readFile(find(path), "utf8");
      this.emitFile({ type: "asset", fileName: `assets/${fileName}`, source });
    }
  },
};

/** The file with the texts of a language that the pages import as `path`, below `src`. */
function textFile(language: StudioLanguage, path: string): string {
  return language === studioLanguages[0]
    ? join(sources, path)
    : join(sources, "languages", language, path);
}

/** Replaces imports of `src/texts.ts` and `src/texts/*.ts` by the same files of the language's folder. */
function translate(language: StudioLanguage): Plugin {
  return {
    name: "translate",
    // Before Vite resolves the imports itself.
    enforce: "pre",
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith(".")) return null;
      const path = relative(sources, resolve(dirname(importer), source));
      return /^texts(\.ts|\/)/.test(path) ? textFile(language, path) : null;
    },
  };
}

/** Writes the language and the texts of the HTML file, which are seen before any script runs. */
function translateDocument(language: StudioLanguage): Plugin {
  return {
    name: "translate-document",
    transformIndexHtml: {
      order: "pre",
      async handler(html) {
        const { texts } = (await import(textFile(language, "texts/document.ts"))) as {
          readonly texts: Readonly<Record<string, string>>;
        };
        const named = Object.entries({ ...texts, language });
        return named.reduce((page, [name, text]) => page.replace(`{{${name}}}`, text), html);
      },
    },
  };
}

/** How Vite builds an app in a language. */
export const viteConfigOf = (app: App, language: StudioLanguage): InlineConfig => ({
  root,
  configFile: false,
  base: apps[app].base,
  logLevel: "warn",
  plugins: [translate(language), translateDocument(language), stylesLast, fontLicences],
  define: { "import.meta.env.STUDIO_LANGUAGES": JSON.stringify(studioLanguages) },
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
      input: join(root, apps[app].page),
      onLog(level, log, handle) {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
      output: {
        codeSplitting: {
          groups: [
            // What every page needs. Other packages are loaded with the parts that use them.
            { name: "vendor", test: vendor },
            // What the first screen shares with other pages: many small files compress badly.
            ...(app === "studio" ? [{ name: "first", test: firstScreen }] : []),
          ],
        },
      },
    },
  },
});
