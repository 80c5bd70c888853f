import { readdir, readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { useBrowser } from "./support/browser.ts";
import { hasBrowser } from "./support/provided.ts";

const pages = fileURLToPath(new URL("../dist/", import.meta.url));

describe.skipIf(!hasBrowser)("the built files", () => {
  const open = useBrowser();

  it.each(["en-IE", "de-DE"])(
    "keep the scripts of the first screen for %s below 120 kB, as they are transferred with Brotli",
    async (locale) => {
      const { page } = await open({ locale });
      const scripts = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
          .map((entry) => ({
            path: new URL(entry.name).pathname,
            bytes: (entry as PerformanceResourceTiming).encodedBodySize,
          })),
      );
      // A script that is preloaded has two entries, one of which may come from the cache.
      const sizes = new Map<string, number>();
      for (const { path, bytes } of scripts) {
        sizes.set(path, Math.max(bytes, sizes.get(path) ?? 0));
      }
      expect(sizes.size).toBeGreaterThan(2);
      let total = 0;
      for (const [path, bytes] of sizes) {
        const file = pages + path.replace("/studio/", "");
        expect([path, bytes]).toEqual([path, (await stat(`${file}.br`)).size]);
        total += bytes;
      }
      process.stdout.write(`First screen, ${locale}: ${total} bytes of JavaScript\n`);
      expect(total).toBeLessThan(120_000);
    },
  );

  it("have the licence of every font beside it", async () => {
    const files = await readdir(`${pages}assets`);
    const fonts = files.filter((file) => /\.(ttf|woff2)$/.test(file));
    const licences = files.filter((file) => file.startsWith("licence-"));
    expect(licences).toEqual([
      "licence-inter.txt",
      "licence-literata.txt",
      "licence-source-sans-3.txt",
    ]);
    const nameOf = (file: string) => file.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
    const names = licences.map((file) => nameOf(file.slice("licence-".length, -".txt".length)));
    expect(fonts.filter((file) => !names.some((name) => nameOf(file).startsWith(name)))).toEqual(
      [],
    );
    for (const licence of licences) {
      expect(await readFile(`${pages}assets/${licence}`, "utf8")).toContain(
        "SIL Open Font License",
      );
    }
  });

  it.each(["br", "gz"])("have a .%s file beside every text file", async (extension) => {
    const files = await readdir(pages, { recursive: true });
    const texts = files.filter((file) => /\.(js|css|html|svg|ttf)$/.test(file));
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((file) => !files.includes(`${file}.${extension}`))).toEqual([]);
  });
});
