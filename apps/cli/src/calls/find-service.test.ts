import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findService } from "./find-service.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-service-"));
});

afterEach(() => rm(home, { recursive: true, force: true }));

const writeDemo = (folder: string, baseUrl: string) =>
  writeFile(join(folder, "demo.json"), JSON.stringify({ base_url: baseUrl, api_key: "demo-key" }));

const inRepository = { usesCurrentFolder: true };

describe("the service of a command", () => {
  const elsewhere = "https://elsewhere.example";
  const find = (environment: Record<string, string>, flags: object = {}) =>
    findService(flags, { ATELIER_HOME: home, ...environment }, inRepository);

  it.each<[string, Record<string, string>, object]>([
    ["the environment", { ATELIER_API_KEY: "own-key" }, {}],
    ["a flag", {}, { key: "own-key" }],
  ])("never sends a key of %s to an address that only demo.json names", async (_, ...given) => {
    await writeDemo(home, elsewhere);
    await expect(find(...given)).rejects.toThrow(`not sent to ${elsewhere}`);
  });

  it.each(["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])(
    "sends a key of the environment to %s of demo.json",
    async (baseUrl) => {
      await writeDemo(home, baseUrl);
      expect(await find({ ATELIER_API_KEY: "own-key" })).toEqual({ baseUrl, apiKey: "own-key" });
    },
  );

  it.each(["http://localhost.elsewhere.example", "http://127.0.0.1.elsewhere.example"])(
    "does not take %s for this machine",
    async (baseUrl) => {
      await writeDemo(home, baseUrl);
      await expect(find({ ATELIER_API_KEY: "own-key" })).rejects.toThrow("not sent");
    },
  );

  it("sends it to the address of the environment or a flag, also if demo.json names another one", async () => {
    await writeDemo(home, elsewhere);
    const own = { baseUrl: "https://own.example", apiKey: "own-key" };
    const variables = { ATELIER_API_KEY: "own-key", ATELIER_URL: own.baseUrl };
    expect(await find(variables)).toEqual(own);
    expect(await find({ ATELIER_API_KEY: "own-key" }, { url: own.baseUrl })).toEqual(own);
  });

  it("is that of demo.json, with its own key", async () => {
    await writeDemo(home, elsewhere);
    expect(await find({})).toEqual({ baseUrl: elsewhere, apiKey: "demo-key" });
  });
});

it("is never that of the folder .atelier for the package: it sends nothing there", async () => {
  const received: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers.authorization);
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await mkdir(join(home, ".atelier"));
  const { port } = server.address() as AddressInfo;
  await writeDemo(join(home, ".atelier"), `http://127.0.0.1:${port}`);

  const main = fileURLToPath(new URL("../caller-main.ts", import.meta.url));
  const environment = { PATH: process.env["PATH"], ATELIER_API_KEY: "own-key" };
  const run = promisify(execFile)(process.execPath, [main, "balance"], {
    cwd: home,
    env: environment,
  });
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Set ATELIER_URL and ATELIER_API_KEY"),
  });
  expect(received).toEqual([]);
  server.close();
});
