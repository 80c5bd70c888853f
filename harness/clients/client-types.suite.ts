import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildPackage } from "../../packages/client/scripts/build-package.ts";

/** A project with the client as its only dependency. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "atelier-client-types-"));
  await buildPackage(join(project, "node_modules/@atelier/client"));
  await writeFile(
    join(project, "program.mts"),
    `import { createAtelier } from "@atelier/client";
    const atelier = createAtelier({ baseUrl: "http://x", apiKey: "k" });
    const { id } = await atelier.uploads.create(new Uint8Array([1]));
    const edited = await atelier.generateEdit({ model: "m", prompt: "p", image: { upload_id: id } });
    export const bytes: Uint8Array = await atelier.images.download({ url: edited.image_url ?? "" });
    // @ts-expect-error There is no such property.
    await atelier.generateImage({ model: "m", promt: "p" });\n`,
  );
});

afterAll(() => rm(project, { recursive: true, force: true }));

it.each(["typescript-5.4", "typescript"])("the client's types compile with %s", async (name) => {
  const compiler = new URL(`node_modules/${name}/bin/tsc`, import.meta.url);
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(compiler), ...options, "nodenext", "program.mts"],
    { cwd: project },
  ).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});
