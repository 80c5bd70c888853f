import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Writes the published package to a folder: the commands of callers as one file of JavaScript, and a
 * manifest. Sources of the workspaces are bundled; packages of npm stay dependencies.
 */
export async function buildPackage(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const bundle = await rolldown({
    input: here("../src/caller-main.ts"),
    platform: "node",
    external: (id) => !/^([./]|@atelier\/)/.test(id),
  });
  const { output } = await bundle.write({
    file: join(directory, "atelier.js"),
    format: "esm",
    banner: "#!/usr/bin/env node",
    codeSplitting: false,
  });
  const manifest = await publishedManifest(output[0].imports);
  await writeFile(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await copyFile(here("../../../LICENSE"), join(directory, "LICENSE"));
  const page = await readFile(here("../../../docs/cli.md"), "utf8");
  // The pages that it links to are not in the package.
  const readme = page.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, "$1");
  await writeFile(join(directory, "README.md"), readme);
}

/** @param imports modules that the bundle imports. */
async function publishedManifest(imports: readonly string[]): Promise<object> {
  const { name, version, description, license } = await readJson("../package.json");
  const { packages } = await readJson("../../../package-lock.json");
  const used = imports.filter((id) => !id.startsWith("node:"));
  const dependencies = used.map((id) => [id, packages[`node_modules/${id}`].version] as const);
  return {
    name,
    version,
    description,
    license,
    keywords: ["atelier", "image-generation", "c2pa"],
    type: "module",
    bin: { atelier: "./atelier.js" },
    dependencies: Object.fromEntries(dependencies),
    engines: { node: ">=20.3" },
    publishConfig: { access: "public" },
  };
}

// oxlint-disable-next-line typescript/no-explicit-any
async function readJson(path: string): Promise<any> {
  return JSON.parse(await readFile(here(path), "utf8"));
}
