import { createHash } from "node:crypto";
import { chmod, glob, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

const root = fileURLToPath(new URL(".", import.meta.url));
const pages = join(root, "dist");
const sources = [
  "*.ts",
  "*.html",
  "package.json",
  "public/**/*",
  "src/**/*",
  "../../packages/client/src/read-events.ts",
  // Imports of stories are checked with the schemas of the API.
  "../../packages/schemas/src/*.ts",
  // Titles of stories are made by the same rule as on the server.
  "../../packages/stories/src/*.ts",
];

/** SHA-256 of the sources in hexadecimal. package.json contains the exact versions of their packages. */
async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  const files = await Array.fromAsync(glob(sources, { cwd: root, withFileTypes: true }));
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  for (const path of paths.toSorted()) {
    hash.update(`${relative(root, path)}\0`).update(await readFile(path));
  }
  return hash.digest("hex");
}

/**
 * Writes a Brotli and a gzip file beside every text file and font, because compressing at each request costs CPU
 * time.
 */
async function compressTexts(directory: string): Promise<void> {
  for await (const name of glob("**/*.{html,js,css,svg,ttf}", { cwd: directory })) {
    const text = await readFile(join(directory, name));
    const path = join(directory, name);
    await writeFile(`${path}.br`, await promisify(brotliCompress)(text));
    await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }));
  }
}

/**
 * Builds the pages into `dist` if their sources changed since the last build. Builds at the same time
 * do not disturb each other: each writes a directory of its own, which then becomes `dist`.
 */
async function buildPages(): Promise<void> {
  const stamp = await hashSources();
  const built = await readFile(join(pages, ".stamp"), "utf8").catch(() => null);
  if (built === stamp) return;
  const directory = await mkdtemp(join(root, ".build-"));
  try {
    const [{ build }, { apps, viteConfigOf }, { studioLanguages }] = await Promise.all([
      import("vite"),
      import("./vite-config.ts"),
      import("@atelier/schemas"),
    ]);
    // Two builds: the scripts of Studio neither contain nor name any part of the console.
    for (const app of ["studio", "console"] as const) {
      const outDir = join(directory, apps[app].folder);
      // Files that do not differ between languages have the same name in each build.
      for (const language of studioLanguages.toReversed()) {
        const config = viteConfigOf(app, language);
        await build({ ...config, build: { ...config.build, outDir, emptyOutDir: false } });
        const page = language === studioLanguages[0] ? "index.html" : `index.${language}.html`;
        await rename(join(outDir, apps[app].page), join(outDir, page));
      }
    }
    await compressTexts(directory);
    await writeFile(join(directory, ".stamp"), stamp);
    // The server may run as another user.
    await chmod(directory, 0o755);
    await rm(pages, { recursive: true, force: true });
    await rename(directory, pages);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// Vite would build React for development if the caller is a test.
process.env["NODE_ENV"] = "production";
await buildPages();
