import { readCatalogue, loadProviders } from "@atelier/models";
import { requestOfImages } from "@atelier/moderation";
import { parseRequest, type Operation } from "@atelier/schemas";
import { expect, it } from "vitest";
import { noteReadings } from "../accept/note-readings.ts";
import { operations, planRequest } from "./operations.ts";

const file = undefined;
const providers = await loadProviders({ file, keys: {}, environment: {} });
const catalogue = await readCatalogue(file, providers);

const fill = (part: string, length: number) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** Texts that patterns of prompts, titles, names and commands try to match at each of their characters. */
const parts = {
  spaces: "a   \t  b ",
  brackets: "<lora:a ",
  tags: "<a:",
  words: "Mira ",
  capitals: "Á",
  stops: "Mr. ",
  quotes: "“'",
  commas: ", and ",
  lines: "Scene 3:\n",
  emoji: "👩‍👩‍👧",
};

const bodies: Readonly<Record<string, (part: string) => [operation: Operation, body: object]>> = {
  image: (part) => ["image", { model: "builtin-illustrator", prompt: fill(part, 32_000), n: 10 }],
  graphic: (part) => [
    "graphic",
    { model: "builtin-graphic", kind: "icon", prompt: fill(part, 32_000) },
  ],
  diagram: (part) => [
    "diagram",
    { model: "builtin-diagram", language: "mermaid", source: fill(part, 20_000) },
  ],
  story: (part) => [
    "story",
    {
      model: "builtin-illustrator",
      characters: Array.from({ length: 10 }, (_, index) => ({
        name: `Mira ${index}`,
        description: `x${fill(part, 2_500)}`,
      })),
      scenes: Array.from({ length: 10 }, () => ({ prompt: `Mira 1 ${fill(part, 5_500)}` })),
    },
  ],
};

const cases = Object.entries(bodies).flatMap(([name, make]) =>
  Object.entries(parts).map(([kind, part]) => [name, kind, ...make(part)] as const),
);

const planOf = (operation: Operation, text: string) =>
  planRequest(
    {
      operation,
      body: parseRequest(operations[operation].request as never, JSON.parse(text)),
    },
    "normal",
    { operations, catalogue },
  );

const readCpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

it.each(cases)("plans %s of repeated %s without a stall", (_name, _kind, operation, body) => {
  const text = JSON.stringify(body);
  const plan = () => {
    const planned = planOf(operation, text);
    structuredClone(
      requestOfImages(
        planned.renders.map(({ spec }) => spec),
        "normal",
      ),
    );
  };
  const cpuMsOf = () => {
    const before = readCpuMs();
    plan();
    return readCpuMs() - before;
  };
  expect(Math.min(cpuMsOf(), cpuMsOf(), cpuMsOf())).toBeLessThan(20);
});

it.each(cases.filter(([name]) => name === "image" || name === "story"))(
  "reads the prompts of %s of repeated %s without a stall",
  async (_name, _kind, operation, body) => {
    const planned = planOf(operation, JSON.stringify(body));
    const entry = catalogue.find(planned.model);
    // Loads the vocabulary.
    await noteReadings(planned, entry);
    const longestTurnMs = async () => {
      let longest = 0;
      let isRunning = true;
      let before = readCpuMs();
      const measure = () => {
        longest = Math.max(longest, readCpuMs() - before);
        before = readCpuMs();
        if (isRunning) setImmediate(measure);
      };
      setImmediate(measure);
      await noteReadings(planned, entry);
      measure();
      isRunning = false;
      return longest;
    };
    expect(
      Math.min(await longestTurnMs(), await longestTurnMs(), await longestTurnMs()),
    ).toBeLessThan(60);
  },
);
