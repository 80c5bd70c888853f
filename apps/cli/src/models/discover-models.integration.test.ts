import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSdcppServer } from "@atelier/models/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInTest } from "../testing/run-in-test.ts";

type Server = Awaited<ReturnType<typeof startSdcppServer>>;

let directory: string;
let server: Server;
let file: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-discover-"));
  server = await startSdcppServer();
  file = join(directory, "providers.json");
  await writeProviders();
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

function writeProviders(more: object = {}): Promise<void> {
  const gpu = { kind: "sdcpp", base_url: server.url, ...more };
  const off = { kind: "sdcpp", base_url: server.url, enabled: false };
  return writeFile(file, JSON.stringify({ providers: { gpu, off } }));
}

async function models(...args: string[]) {
  return runInTest(["models", ...args], { PROVIDERS_FILE: file });
}

describe("models discover", () => {
  it("prints entries that PROVIDERS_FILE takes when they are pasted", async () => {
    const { code, stdout } = await models("discover", "gpu", "--price", "0.02");
    expect(code).toBe(0);
    await writeProviders({ models: JSON.parse(stdout) as unknown });
    const checked = await models("check", "--json", "-m", "z-image-turbo-q8-0");
    expect(JSON.parse(checked.stdout)).toMatchObject({
      models: [{ provider: "gpu", usable: true, prices_eur: { "1K": "0.02" } }],
    });
    expect((await models("check", "--pay", "-m", "z-image-turbo-q8-0")).code).toBe(0);
  });

  it("prints the same entries as JSON of the command", async () => {
    const { stdout } = await models("discover", "gpu", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ models: [{ id: "z-image-turbo-q8-0" }] });
  });

  it.each([
    [["other"], 1, 'There is no provider "other" in PROVIDERS_FILE. It has gpu.'],
    [["off"], 1, 'The provider "off" cannot be used: it is switched off by enabled: false.'],
    [["builtin"], 1, '"builtin" is of the kind builtin, which cannot be asked.'],
    [["gpu", "--price", "free"], 2, "It must be an amount in EUR such as 0.01."],
  ])("%j exits with %i and says what to do", async (args, status, message) => {
    const { code, stdout, stderr } = await models("discover", ...args);
    expect({ code, stdout }).toEqual({ code: status, stdout: "" });
    expect(stderr).toContain(message);
  });
});
