import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

const pages = fileURLToPath(new URL("../dist/", import.meta.url));

describe.skipIf(!hasBrowser)("the built files", () => {
  const open = useBrowser();

  it.each([
    ["en-IE", 120_000],
    ["de-DE", 122_000],
  ])(
    "keep the scripts of the first screen for %s below %i bytes, gzipped",
    async (locale, most) => {
      const { page } = await open({ locale });
      const scripts = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .map(({ name }) => new URL(name).pathname)
          .filter((path) => path.endsWith(".js")),
      );
      expect(scripts.length).toBeGreaterThan(2);
      let bytes = 0;
      // A script that is preloaded has two entries.
      for (const path of new Set(scripts)) {
        bytes += gzipSync(await readFile(pages + path.replace("/studio/", "")), {
          level: 9,
        }).length;
      }
      expect(bytes).toBeLessThan(most);
    },
  );

  it.each(["br", "gz"])("have a .%s file beside every text file", async (extension) => {
    const files = await readdir(pages, { recursive: true });
    const texts = files.filter((file) => /\.(js|css|html|svg|ttf)$/.test(file));
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((file) => !files.includes(`${file}.${extension}`))).toEqual([]);
  });
});
