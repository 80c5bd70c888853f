import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { chatCompletion } from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { generateText, streamText } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { makePictures, readImages } from "../../apps/api/test/support/pictures.ts";

const model = "fake-blind";
const editor = "builtin-illustrator";
const prompt = "a lighthouse at dusk";

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: { WORKER_LANES: "builtin,fake-blind" },
  });
});

afterAll(() => stack.stop());

beforeEach(async () => {
  account = await stack.createAccount();
});

async function countJobs(): Promise<number> {
  const response = await stack.request(account, "GET", "/v1/jobs");
  return ((await response.json()) as { jobs: object[] }).jobs.length;
}

describe("OpenRouter's provider of the AI SDK", () => {
  const chat = (id: string) =>
    createOpenRouter({ baseURL: `${stack.url}/v1`, apiKey: account.key }).chat(id, {
      extraBody: { modalities: ["image", "text"] },
    });

  it("gets an image", async () => {
    const { files } = await generateText({ model: chat(model), prompt, system: "Be brief." });
    expect(files.map(({ mediaType }) => mediaType)).toEqual(["image/png"]);
    expect(await readImages(files.map(({ base64 }) => base64))).toMatchObject([{ width: 256 }]);
    expect(await countJobs()).toBe(1);
  });

  it("gets an image of a stream", async () => {
    const { files, finishReason } = streamText({ model: chat(model), prompt });
    const images = await files;
    expect(await readImages(images.map(({ base64 }) => base64))).toMatchObject([{ width: 256 }]);
    expect(await finishReason).toBe("stop");
    expect(await countJobs()).toBe(1);
  });

  it("sends a picture as a data URL", async () => {
    const { picture } = await makePictures();
    const { files } = await generateText({
      model: chat(editor),
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "a red boat" },
            { type: "image", image: picture },
          ],
        },
      ],
    });
    expect(files).toHaveLength(1);
    expect(await countJobs()).toBe(1);
  });

  it("pays once for a session with a title, tags and questions", async () => {
    await generateText({ model: chat(model), prompt });
    const plain = createOpenRouter({ baseURL: `${stack.url}/v1`, apiKey: account.key }).chat(model);
    for (const question of ["A title?", "Three tags?", "Follow-up questions?"]) {
      const asked = generateText({ model: plain, prompt: question });
      await expect(asked).rejects.toThrow("answers no questions");
    }
    expect(await countJobs()).toBe(1);
  });
});

describe("the AI SDK's provider for compatible servers", () => {
  const compatible = (fetchIt = fetch) =>
    createOpenAICompatible({
      name: "atelier",
      baseURL: `${stack.url}/v1`,
      apiKey: account.key,
      fetch: fetchIt,
    })(model);
  const providerOptions = { atelier: { modalities: ["image", "text"] } };

  it("sends a request that is accepted, and charged once", async () => {
    let answer: Response | undefined;
    const recorded = compatible(async (...request) => (answer = await fetch(...request)).clone());
    await generateText({ model: recorded, prompt, providerOptions });
    // The provider reads no images.
    const { choices } = chatCompletion.parse(await answer?.json());
    const url = choices[0]?.message.images[0]?.image_url.url ?? "";
    expect(await readImages([url.split(",")[1]])).toMatchObject([{ width: 256 }]);
    expect(await countJobs()).toBe(1);
  });

  it("reads a stream to its end", async () => {
    const { finishReason } = streamText({ model: compatible(), prompt, providerOptions });
    expect(await finishReason).toBe("stop");
    expect(await countJobs()).toBe(1);
  });
});
