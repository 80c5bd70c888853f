import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readComfyUiWorkflow } from "./comfyui-workflow.ts";

const values = { prompt: "a fox", seed: 7, width: 1344, height: 768, references: [] };

/** The nodes of a graph that hold its slots; each test changes the relevant one. */
const minimal = {
  "1": { class_type: "CLIPTextEncode", inputs: { text: "", clip: ["9", 1] }, title: "@prompt" },
  "2": { class_type: "KSampler", inputs: { seed: 0, steps: 4 }, title: "Sampler @seed" },
  "3": { class_type: "EmptyLatentImage", inputs: { width: 1, height: 1 }, title: "@size" },
};

type Nodes = Record<string, { class_type: string; inputs: object; title?: string }>;

function workflow(nodes: Nodes): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(nodes).map(([id, { title, ...node }]) => [
        id,
        title === undefined ? node : { ...node, _meta: { title } },
      ]),
    ),
  );
}

const read = (nodes: Nodes) => readComfyUiWorkflow(workflow(nodes), "test.json");

test.each(["comfyui-text.json", "comfyui-references.json"])(
  "the sample %s is usable",
  async (name) => {
    const text = await readFile(new URL(`../../../workflows/${name}`, import.meta.url), "utf8");
    const sample = readComfyUiWorkflow(text, name);
    const references = Array.from(
      { length: sample.references },
      (_, index) => `atelier/${index}.png`,
    );

    const filled = JSON.stringify(sample.fillSlots({ ...values, references }));

    expect(filled).toContain('"a fox"');
    expect(filled).toContain('"seed":7');
    expect(filled).toContain('"width":1344,"height":768');
    for (const reference of references) expect(filled).toContain(reference);
    expect(sample.outputNode).not.toBeNull();
  },
);

test("fills the slots, removes titles, and keeps everything else", () => {
  const filled = read(minimal).fillSlots(values);

  expect(filled).toEqual({
    "1": { class_type: "CLIPTextEncode", inputs: { text: "a fox", clip: ["9", 1] } },
    "2": { class_type: "KSampler", inputs: { seed: 7, steps: 4 } },
    "3": { class_type: "EmptyLatentImage", inputs: { width: 1344, height: 768 } },
  });
});

test("does not share values between requests", () => {
  const shared = read(minimal);
  shared.fillSlots({ ...values, prompt: "first" });

  expect(JSON.stringify(shared.fillSlots(values))).not.toContain("first");
});

test("removes the nodes of an absent reference from the graph", () => {
  const shared = read({
    ...minimal,
    "4": { class_type: "LoadImage", inputs: { image: "old.png" }, title: "@reference1" },
    "5": { class_type: "LoadImage", inputs: { image: "old.png" }, title: "@reference2" },
    "6": { class_type: "Encode", inputs: { image1: ["4", 0], image2: ["5", 0], vae: ["9", 2] } },
  });
  expect(shared.references).toBe(2);

  const filled = shared.fillSlots({ ...values, references: ["atelier/a.png"] });

  expect(filled["4"]?.inputs).toEqual({ image: "atelier/a.png" });
  expect(filled).not.toHaveProperty("5");
  expect(filled["6"]?.inputs).toEqual({ image1: ["4", 0], vae: ["9", 2] });
});

test("allows a slot on several nodes and with an input name", () => {
  const filled = read({
    ...minimal,
    "4": {
      class_type: "CLIPTextEncodeFlux",
      inputs: { t5xxl: "", clip_l: "" },
      title: "@prompt:t5xxl @prompt:clip_l",
    },
  }).fillSlots(values);

  expect(filled["1"]?.inputs["text"]).toBe("a fox");
  expect(filled["4"]?.inputs).toEqual({ t5xxl: "a fox", clip_l: "a fox" });
});

test.each<[string, Nodes, RegExp]>([
  [
    "no slot for the prompt",
    { ...minimal, "1": { ...minimal["1"], title: "Positive" } },
    /no slot for the prompt.*@prompt/,
  ],
  [
    "no slot for the seed",
    { ...minimal, "2": { class_type: "KSampler", inputs: { seed: 0 } } },
    /no slot for the seed.*@seed/,
  ],
  [
    "no slot for the height",
    { ...minimal, "3": { ...minimal["3"], title: "@width" } },
    /no slot for the height.*@size \(or @height\)/,
  ],
  [
    "a slot that is a link",
    { ...minimal, "1": { ...minimal["1"], inputs: { text: ["8", 0], other: "" } } },
    /node 1 is marked @prompt.*It has other; name one with @prompt:input/,
  ],
  [
    "a slot that does not exist",
    { ...minimal, "1": { ...minimal["1"], title: "@promt" } },
    /"@promt" on node 1 is not a slot/,
  ],
  [
    "a gap in the references",
    { ...minimal, "4": { class_type: "LoadImage", inputs: { image: "" }, title: "@reference2" } },
    /@reference2, but no @reference1/,
  ],
  [
    "a reference without a number",
    { ...minimal, "4": { class_type: "LoadImage", inputs: { image: "" }, title: "@reference" } },
    /from @reference1/,
  ],
  [
    "two outputs",
    {
      ...minimal,
      "4": { class_type: "SaveImage", inputs: {}, title: "@output" },
      "5": { class_type: "SaveImage", inputs: {}, title: "@output" },
    },
    /more than one node has @output/,
  ],
])("reports a clear error for a file with %s", (_what, nodes, message) => {
  expect(() => read(nodes)).toThrow(message);
  expect(() => read(nodes)).toThrow("The ComfyUI workflow test.json cannot be used");
});

test("reports a file in the editor format, which is not the API format", () => {
  expect(() => readComfyUiWorkflow('{"nodes": [], "links": []}', "saved.json")).toThrow(
    "Export Workflow (API)",
  );
  expect(() => readComfyUiWorkflow("not JSON", "broken.json")).toThrow("broken.json");
});
