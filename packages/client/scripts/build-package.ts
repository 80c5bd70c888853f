import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Writes the published package to a folder: JavaScript, declarations and a manifest. It is compiled
 * with web APIs only, so that it cannot use Node APIs.
 *
 * @throws Error with the compiler's messages.
 */
export async function buildPackage(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const project = here("../tsconfig.build.json");
  await execute(process.execPath, [compiler, "-p", project, "--outDir", directory]).catch(
    (error: { readonly stdout?: string }) => {
      throw new Error(`the client does not compile:\n${error.stdout}`, { cause: error });
    },
  );
  const manifest = await publishedManifest();
  await writeFile(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await copyFile(here("../../../LICENSE"), join(directory, "LICENSE"));
  const page = await readFile(here("../../../docs/client.md"), "utf8");
  // The pages that it links to are not in the package.
  const readme = page.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, "$1");
  await writeFile(join(directory, "README.md"), readme);
}

/** The published manifest. npm cannot override `exports` on publish, so the package is a separate folder. */
async function publishedManifest(): Promise<object> {
  const text = await readFile(here("../package.json"), "utf8");
  const { name, version, description, license, engines } = JSON.parse(text) as Record<
    string,
    unknown
  >;
  return {
    name,
    version,
    description,
    license,
    keywords: ["atelier", "image-generation", "c2pa"],
    type: "module",
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    sideEffects: false,
    engines,
    publishConfig: { access: "public" },
  };
}
