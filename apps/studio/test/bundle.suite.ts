import { readdir, readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { texts as german } from "../src/languages/de/texts/console.ts";
import { texts as english } from "../src/texts/console.ts";
import { useBrowser } from "./support/browser.ts";
import { hasBrowser, provided } from "./support/provided.ts";

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

  it.each([
    { folder: "assets", owned: ["inter", "literata", "source-sans-3"] },
    { folder: "console/assets", owned: ["inter"] },
  ])("have the licence of every font beside it in $folder", async ({ folder, owned }) => {
    const files = await readdir(pages + folder);
    const fonts = files.filter((file) => /\.(ttf|woff2)$/.test(file));
    const licences = files.filter((file) => file.startsWith("licence-"));
    expect(licences).toEqual(owned.map((name) => `licence-${name}.txt`));
    const nameOf = (file: string) => file.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
    const names = licences.map((file) => nameOf(file.slice("licence-".length, -".txt".length)));
    expect(fonts.filter((file) => !names.some((name) => nameOf(file).startsWith(name)))).toEqual(
      [],
    );
    for (const licence of licences) {
      expect(await readFile(`${pages}${folder}/${licence}`, "utf8")).toContain(
        "SIL Open Font License",
      );
    }
  });

  it.each([
    ["English", english.console],
    ["German", german.console],
  ])("of Studio contain no text of the console, in %s", async (_name, console) => {
    const files = await readdir(pages, { recursive: true });
    const scripts = files.filter((file) => /\.(js|html)$/.test(file));
    const isOfConsole = (file: string) => file.startsWith("console/");
    const ofStudio = await readAll(scripts.filter((file) => !isOfConsole(file)));
    const ofConsole = await readAll(scripts.filter(isOfConsole));
    // Short ones, such as "Status", may be texts of both.
    const long = sentencesOf(console).filter((text) => text.split(" ").length > 3);
    expect(long.length).toBeGreaterThan(20);
    expect(long.filter((text) => !ofConsole.includes(text))).toEqual([]);
    expect(long.filter((text) => ofStudio.includes(text))).toEqual([]);
    expect(ofStudio).not.toContain("/admin/v1/session");
  });

  it("of the console are served at the admin port only", async () => {
    const { url, adminUrl } = provided();
    for (const path of ["/admin/", "/admin/index.html", "/studio/console/index.html"]) {
      expect(await (await fetch(url + path)).text()).not.toContain("/admin/assets/");
    }
    const page = await (await fetch(`${adminUrl}/admin/`)).text();
    const [script = ""] = /\/admin\/assets\/[\w-]+\.js/.exec(page) ?? [];
    const typeOf = async (address: string) => (await fetch(address)).headers.get("Content-Type");
    expect(await typeOf(adminUrl + script)).toContain("text/javascript");
    const file = script.replace("/admin/", "");
    for (const path of [script, `/studio/${file}`, `/studio/console/${file}`]) {
      expect([path, await typeOf(url + path)]).not.toContain("text/javascript");
    }
  });

  it.each(["br", "gz"])("have a .%s file beside every text file", async (extension) => {
    const files = await readdir(pages, { recursive: true });
    const texts = files.filter((file) => /\.(js|css|html|svg|ttf)$/.test(file));
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((file) => !files.includes(`${file}.${extension}`))).toEqual([]);
  });
});

async function readAll(files: readonly string[]): Promise<string> {
  return (await Promise.all(files.map((file) => readFile(pages + file, "utf8")))).join("\n");
}

/** The texts without parameters. */
function sentencesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" ? Object.values(value ?? {}).flatMap(sentencesOf) : [];
}
