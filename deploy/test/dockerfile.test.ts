import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { readText } from "./deployment-files.ts";

it("copies the sources of each package that the pages of Studio depend on", async () => {
  const manifest = JSON.parse(await readText("apps/studio/package.json")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const own = Object.keys(manifest.dependencies).filter((name) => name.startsWith("@atelier/"));
  const dockerfile = await readText("Dockerfile");
  const stage = /^FROM packages AS studio\n(.*?)^FROM /ms.exec(dockerfile)?.[1] ?? "";
  const copied = [...stage.matchAll(/^COPY packages\/([a-z-]+)\/src/gm)].map(([, name]) => name);
  expect(copied.map((name) => `@atelier/${name}`).toSorted()).toEqual(own.toSorted());
});

interface Manifest {
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readManifest = async (workspace: string) =>
  JSON.parse(await readText(`${workspace}/package.json`)) as Manifest;
const folderOf = (name: string) => name.replace("@atelier/", "packages/");

/** The folders of workspaces and of the packages that they depend on. */
async function withDependencies(workspaces: readonly string[]): Promise<Set<string>> {
  const found = new Set(workspaces);
  for (const workspace of found) {
    const { dependencies = {} } = await readManifest(workspace);
    for (const name of Object.keys(dependencies)) {
      if (name.startsWith("@atelier/")) found.add(folderOf(name));
    }
  }
  return found;
}

/** The file of this repository that a module imports; null for packages of others. */
async function resolveImport(from: string, specifier: string): Promise<string | null> {
  if (specifier.startsWith(".")) return join(dirname(from), specifier);
  const [, name, path] = /^(@atelier\/[a-z-]+)(.*)$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  const { exports = {} } = await readManifest(folderOf(name));
  return join(folderOf(name), exports[`.${path}`] ?? `no export ${specifier}`);
}

it("copies into the image of one container every module that npm start imports", async () => {
  const dockerfile = await readText("Dockerfile");
  const stage = /^FROM service AS one\n(.*?)^FROM /ms.exec(dockerfile)?.[1] ?? "";
  const copied = [...stage.matchAll(/^COPY ([^-\s]\S*) /gm)].map(([, path = ""]) => path);
  const services = await withDependencies(["apps/api", "apps/worker", "apps/cli"]);
  const isAmong = (paths: Iterable<string>, file: string) =>
    [...paths].some((path) => file === path || file.startsWith(`${path}/`));

  const modules = new Set(
    globSync("apps/standalone/src/**/*.ts", { exclude: ["**/*.test.ts", "**/testing/**"] }),
  );
  for (const module of modules) {
    const imports = /^(?:import|export) (?!type )[^;"]*"([^"]+)"|\bimport\("([^"]+)"\)/gm;
    for (const [, named, loaded] of (await readText(module)).matchAll(imports)) {
      const file = await resolveImport(module, named ?? loaded ?? "");
      if (file !== null && !isAmong(services, file)) modules.add(file);
    }
  }
  expect(modules.size).toBeGreaterThan(10);
  expect([...modules].filter((file) => !isAmong(copied, file))).toEqual([]);
});
