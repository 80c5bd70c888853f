import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { DallEAPIWrapper } from "@langchain/openai";
import { generateImage } from "ai";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { differencesOf, makePictures, readImages } from "../../apps/api/test/support/pictures.ts";

/** A fast model with one image size, under its own name and under one of OpenAI's. */
const model = "fake-blind";
const openaiModel = "gpt-image-1";
const editor = "builtin-illustrator";
const prompt = "a lighthouse at dusk";

let stack: Stack;
let account: TestAccount;
let picture: Buffer;
let mask: Buffer;

beforeAll(async () => {
  ({ picture, mask } = await makePictures());
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      WORKER_LANES: "builtin,fake-blind",
      OPENAI_MODEL_ALIASES: `gpt-image-*=${model}`,
    },
  });
  account = await stack.createAccount();
});

afterAll(() => stack.stop());

describe("the AI SDK", () => {
  it("edits an image with a mask", async () => {
    const provider = createOpenAI({ baseURL: `${stack.url}/v1`, apiKey: account.key });
    const { image } = await generateImage({
      model: provider.image(editor),
      prompt: { text: "a blue boat", images: [picture], mask },
    });
    const { left, right } = await differencesOf(picture, image.base64);
    expect(left).toBeLessThan(2);
    expect(right).toBeGreaterThan(20);
  });

  it("makes two images in one request under a name of OpenAI's", async () => {
    const provider = createOpenAI({ baseURL: `${stack.url}/v1`, apiKey: account.key });
    const { images, responses } = await generateImage({
      model: provider.image(openaiModel),
      prompt,
      n: 2,
      size: "1024x1024",
      providerOptions: { openai: { quality: "high", style: "natural" } },
    });
    expect(responses).toHaveLength(1);
    expect(responses[0]?.headers?.["atelier-ignored"]).toBe("quality, style");
    expect(await readImages(images.map(({ base64 }) => base64))).toMatchObject([
      { width: 256 },
      { width: 256 },
    ]);
  });

  it("sends a seed and a negative prompt with the package for compatible servers", async () => {
    const provider = createOpenAICompatible({
      name: "atelier",
      baseURL: `${stack.url}/v1`,
      apiKey: account.key,
    });
    const { image } = await generateImage({
      model: provider.imageModel(model),
      prompt,
      providerOptions: { atelier: { seed: 7, negative_prompt: "fog" } },
    });
    expect(await readImages([image.base64])).toMatchObject([{ width: 256 }]);
    expect(stack.provider.calls.at(-1)).toMatchObject({ seed: 7, negativePrompt: "fog" });
  });
});

describe("LangChain's DALL·E wrapper", () => {
  const options = { quality: "hd", style: "vivid", user: "reader-17" } as const;
  const create = (fields: object) =>
    new DallEAPIWrapper({
      baseUrl: `${stack.url}/v1`,
      apiKey: account.key,
      model: openaiModel,
      ...options,
      ...fields,
    });

  it("makes two images and gets their URLs", async () => {
    const images = (await create({ n: 2 }).invoke(prompt)) as { image_url: string }[];
    const types = await Promise.all(
      images.map(async ({ image_url }) => (await fetch(image_url)).headers.get("Content-Type")),
    );
    expect(types).toEqual(["image/png", "image/png"]);
  });

  it("makes an image and gets its bytes", async () => {
    const image = (await create({ responseFormat: "b64_json" }).invoke(prompt)) as string;
    expect(await readImages([image])).toMatchObject([{ format: "png", width: 256 }]);
  });
});

it("the examples of docs/openai.md with these clients work", { timeout: 120_000 }, async () => {
  const guide = await readFile(new URL("../../docs/openai.md", import.meta.url), "utf8");
  const examples = [...guide.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = ""]) => code);
  const others = examples.filter((code) => !code.includes('from "openai"'));
  const outputs = await Promise.all(
    others.map(async (code) => {
      const run = promisify(execFile);
      const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], {
        // The folder whose dependencies include the packages of the examples.
        cwd: fileURLToPath(new URL(".", import.meta.url)),
        env: { PATH: process.env["PATH"], ATELIER_URL: stack.url, ATELIER_API_KEY: account.key },
      });
      return stdout;
    }),
  );
  const [ai, langchain = "", ...more] = outputs;
  expect(more).toEqual([]);
  expect(ai).toBe("image/png\n");
  expect((await fetch(langchain.trim())).headers.get("Content-Type")).toBe("image/png");
});
