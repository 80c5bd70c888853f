import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { startAssistantServer, type AssistantServer } from "@atelier/testing/assistant";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "../exit-codes.ts";
import { runInTest } from "../testing/run-in-test.ts";

const apiKey = "sk-assistant-of-the-command-line-0123456789";

let stack: Stack;
let server: AssistantServer;
let account: TestAccount;
let url: string;

beforeAll(async () => {
  [stack, server] = await Promise.all([shareStack(), startAssistantServer({ apiKey })]);
  account = await stack.createAccount();
  const api = await stack.startApi({
    ASSISTANT_URL: `${server.url}/v1`,
    ASSISTANT_MODEL: "writer",
    ASSISTANT_KEY: apiKey,
    PORT: "0",
    ADMIN_PORT: "0",
  });
  url = `http://127.0.0.1:${api.ports.main}`;
});

afterAll(async () => {
  await server.close();
  await stack.stop();
});

const command = (at: string, ...args: string[]) =>
  runInTest(args, { ATELIER_URL: at, ATELIER_API_KEY: account.key });

it("prints better prompts with what was added", async () => {
  const { stdout } = await command(url, "assist", "prompt", "a cat on a roof", "--style", "ink");
  expect(stdout).toBe(
    ["warm evening light", "a low angle", "light fog"]
      .map((added) => `a cat on a roof, ${added}\n  + ${added}\n`)
      .join("\n"),
  );
  expect(JSON.parse(server.calls.at(-1)?.body.toString() ?? "").messages[1].content).toBe(
    '{"prompt":"a cat on a roof","style":"ink"}',
  );
});

it("prints a story that the command quote takes with a model", async () => {
  const options = ["--scenes", "2", "--language", "de", "--style", "Aquarell"];
  const { stdout } = await command(url, "assist", "story", "Ein Fuchs singt", ...options);
  const story = JSON.parse(stdout);
  expect(story).toMatchObject({ title: "Der Fuchs, der sang", style: "Aquarell" });
  const file = join(await mkdtemp(join(tmpdir(), "atelier-assist-")), "fox.json");
  await writeFile(file, JSON.stringify({ model: "builtin-illustrator", ...story }));
  expect((await command(url, "quote", "story", file)).stdout).toMatch(/^Images +4 of 1K/m);
});

it("says that a service has no assistant", async () => {
  const { code, stderr } = await command(stack.url, "assist", "prompt", "a cat");
  expect(code).toBe(exitCodes.invalidRequest);
  expect(stderr).toContain("This server has no assistant.");
});
