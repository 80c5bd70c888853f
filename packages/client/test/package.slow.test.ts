import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildPackage } from "../scripts/build-package.ts";

const execute = promisify(execFile);

// Compilers are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let directory: string;
let tarball: Buffer;
/** A project with the package as its only dependency. */
let project: string;
let files: string[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-client-"));
  const built = join(directory, "built");
  await buildPackage(built);
  const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", directory], {
    cwd: built,
    env: { ...process.env, npm_config_update_notifier: "false", npm_config_loglevel: "error" },
  });
  const [packed] = Object.values(JSON.parse(stdout) as object) as [Packed];
  files = packed.files.map(({ path }) => path);
  const path = join(directory, packed.filename);
  tarball = await readFile(path);
  project = join(directory, "project");
  const installed = join(project, "node_modules/@atelier/client");
  await mkdir(installed, { recursive: true });
  await execute("tar", ["-xzf", path, "-C", installed, "--strip-components=1"]);
});

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

afterAll(() => rm(directory, { recursive: true, force: true }));

describe("the published package", () => {
  it("passes publint", async () => {
    const bytes = tarball.buffer.slice(
      tarball.byteOffset,
      tarball.byteOffset + tarball.byteLength,
    ) as ArrayBuffer;
    const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it("contains code, declarations, README and licence, no sources or tests, and has no dependencies", async () => {
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "index.js", "index.d.ts", "package.json"]),
    );
    const sources = files.filter((path) => /(?<!\.d)\.ts$|test/.test(path));
    expect(sources).toEqual([]);
    const manifest = await readFile(
      join(project, "node_modules/@atelier/client/package.json"),
      "utf8",
    );
    expect(manifest).not.toMatch(/ependencies|private|\.\/src/);
  });

  it("can be imported from JavaScript", async () => {
    const code = `
      import { createAtelier, InsufficientCreditError } from "@atelier/client";
      const refuse = async () => Response.json({ error: "insufficient_credit", message: "" }, { status: 402 });
      const atelier = createAtelier({ baseUrl: "http://x", apiKey: "k", fetch: refuse });
      const error = await atelier.generateImage({ model: "m", prompt: "p" }).catch((error) => error);
      console.log(error instanceof InsufficientCreditError);`;
    const args = ["--input-type=module", "--eval", code];
    const { stdout } = await execute(process.execPath, args, { cwd: project });
    expect(stdout).toBe("true\n");
  });

  it("provides types for TypeScript", async () => {
    const program = join(project, "program.mts");
    await writeFile(
      program,
      `import { createAtelier, type Generation } from "@atelier/client";
      const atelier = createAtelier({ baseUrl: "http://x", apiKey: "k" });
      const image: Generation = await atelier.generateImage({ model: "m", prompt: "p" });
      const cost: string = image.cost_eur;
      // @ts-expect-error There is no such property.
      await atelier.generateImage({ model: "m", promt: cost });\n`,
    );
    const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"];
    const { stdout } = await execute(process.execPath, [compiler, ...options, program], {
      cwd: project,
    }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });
});
