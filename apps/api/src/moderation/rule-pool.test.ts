import { afterAll, expect, it } from "vitest";
import { createRulePool } from "./rule-pool.ts";

const pool = createRulePool((error) => {
  throw error;
});
afterAll(() => pool.close());

const { signal } = new AbortController();
const request = { strictness: "normal", hasClientImages: false } as const;
const judge = (accountId: string, ...prompts: string[]) => {
  const texts = prompts.map((text, index) => ({
    path: `scenes.${index}.prompt`,
    text,
    composedOf: ["prompt"],
  }));
  return pool.judge(accountId, { ...request, texts }, signal);
};

/** New, meaningless words, which take longest. */
const senseless = (length: number, seed: number) => {
  let state = seed;
  const letter = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return "abcd3f6h1jk1mn0pqr57uvwxyz4 "[state % 28];
  };
  return Array.from({ length }, letter).join("");
};

it("judges by the built-in rules", async () => {
  expect(await judge("one", "a lighthouse")).toEqual({ allowed: true });
  const texts = [{ path: "prompt", text: "a fake passport" }];
  expect(await pool.judge("one", { ...request, texts }, signal)).toMatchObject({
    allowed: false,
    category: "forgery",
  });
  const composed = await judge("one", "a lighthouse", "a fake passport");
  expect(composed).toMatchObject({ certainty: "uncertain", path: "scenes.1.prompt" });
});

it("answers other accounts while it judges the largest story of one", async () => {
  await judge("one", "a lighthouse");
  const prompts = Array.from({ length: 30 }, (_, index) => senseless(32_000, index + 1));
  let isDone = false;
  const largest = judge("one", ...prompts).finally(() => {
    isDone = true;
  });
  expect(await judge("two", "a boat")).toEqual({ allowed: true });
  expect(isDone).toBe(false);
  await largest;
});

it("leaves the event loop free", async () => {
  const text = senseless(100_000, 99);
  const before = process.threadCpuUsage();
  const started = process.cpuUsage();
  await pool.judge("one", { ...request, texts: [{ path: "prompt", text }] }, signal);
  const own = process.threadCpuUsage(before);
  const all = process.cpuUsage(started);
  expect(own.user + own.system).toBeLessThan((all.user + all.system) / 2);
});

it("parses diagrams beside the event loop", async () => {
  const diagram = (source: string) => ({ source, language: "mermaid" }) as const;
  expect(await pool.findProblem("one", diagram("graph LR\nA --> B"))).toBeNull();
  const source = `graph LR\n${"A\n".repeat(9_000)}=>`;
  const before = process.threadCpuUsage();
  expect(await pool.findProblem("one", diagram(source))).toMatchObject({ line: 9_002, column: 1 });
  const { user, system } = process.threadCpuUsage(before);
  expect(user + system).toBeLessThan(20_000);
});
