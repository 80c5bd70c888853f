import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { makePictures, readImages } from "../../apps/api/test/support/pictures.ts";
import type { Received, Service } from "./consumers/service.ts";

/** Written by the generators, and read by the programs in `consumers`. */
const folder = new URL("generated/", import.meta.url).pathname;
const binaries = new URL("node_modules/.bin/", import.meta.url).pathname;

const generators = {
  "openapi-typescript": ["openapi-typescript", "./openapi.json", "-o", "openapi-typescript.ts"],
  "hey-api": ["openapi-ts", "-i", "./openapi.json", "-o", "hey-api", "-c", "@hey-api/client-fetch"],
  orval: ["orval", "--config", "./orval.config.cjs"],
} as const;

let stack: Stack;
let account: TestAccount;
let picture: Buffer;

beforeAll(async () => {
  ({ picture } = await makePictures());
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: { WORKER_LANES: "builtin" },
  });
  account = await stack.createAccount();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(`${folder}openapi.json`, await (await fetch(`${stack.url}/openapi.json`)).text());
  const output = { target: "./orval.ts", client: "fetch", baseUrl: stack.url };
  const config = { atelier: { input: "./openapi.json", output } };
  await writeFile(`${folder}orval.config.cjs`, `module.exports = ${JSON.stringify(config)};`);
  for (const [binary, ...args] of Object.values(generators)) await run(binary, args, folder);
}, 300_000);

afterAll(() => stack?.stop());

async function run(binary: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [binaries + binary, ...args], { cwd });
  } catch (error) {
    throw new Error(`${binary} failed: ${(error as { stdout?: string }).stdout}`, { cause: error });
  }
}

it("the programs with all generated clients are correct in strict TypeScript", async () => {
  const checking = run("tsc", ["-p", "consumers"], new URL(".", import.meta.url).pathname);
  await expect(checking).resolves.toBeUndefined();
}, 300_000);

describe.each(Object.keys(generators))("a client that %s generates", (name) => {
  it("uploads an image, edits it and verifies it", async () => {
    const consumer = (await import(`./consumers/${name}.ts`)) as {
      use(service: Service): Promise<Received>;
    };
    const { uploadId, imageUrl, width, verdict } = await consumer.use({
      url: stack.url,
      key: account.key,
      picture: new Blob([new Uint8Array(picture)], { type: "image/png" }),
    });
    expect(uploadId).toMatch(/^[0-9a-f-]{36}$/);
    const edited = Buffer.from(await (await fetch(imageUrl)).arrayBuffer());
    expect(await readImages([edited.toString("base64")])).toMatchObject([{ width }]);
    expect(verdict).toBe("unknown");
  });
});
