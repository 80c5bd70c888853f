import { createFalClient } from "@fal-ai/client";
import { GoogleGenAI } from "@google/genai";
import OpenAI, { toFile } from "openai";
import Replicate from "replicate";
import sharp from "sharp";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { ImageFile, ProviderEdit, ProviderRequest } from "../../provider.ts";
import { falContract } from "../fal/contract.ts";
import { geminiContract } from "../gemini/contract.ts";
import { openAiContract } from "../openai/contract.ts";
import { replicateContract } from "../replicate/contract.ts";
import { callAdapter } from "./call-adapter.ts";
import type { ProviderContract } from "./contract/provider-contract.ts";
import type { ProtocolCall, ProtocolServer } from "./protocol-server.ts";
import { readForm } from "./read-form.ts";

// The adapters send an edit as the vendors' own clients do: the same path, fields and types.

let image: ImageFile;
let mask: Uint8Array;
let server: ProtocolServer | null = null;

beforeAll(async () => {
  const square = { width: 1024, height: 1024, channels: 3 as const };
  const grey = { ...square, background: "#888" };
  image = { bytes: await sharp({ create: grey }).png().toBuffer(), mediaType: "image/png" };
  mask = await sharp({ create: { ...square, background: "#fff" } })
    .toColourspace("b-w")
    .png()
    .toBuffer();
});
afterEach(() => server?.close());

/** The order that an adapter sends for an edit, and the one of the vendor's client. */
async function compare(
  contract: ProviderContract,
  request: Partial<ProviderRequest>,
  askClient: (url: string) => Promise<unknown>,
): Promise<{ readonly adapter: ProtocolCall; readonly client: ProtocolCall }> {
  server = await contract.start();
  const provider = contract.create({ url: server.url, apiKey: contract.apiKey ?? "", limits: {} });
  const outcome = await callAdapter(provider, {
    ...contract.request,
    prompt: "a boat",
    ...request,
  });
  expect(outcome.kind).toBe("image");
  const adapter = server.calls.find(({ method }) => method === "POST");
  const from = server.calls.length;
  await askClient(server.url);
  const client = server.calls.slice(from).find(({ method }) => method === "POST");
  if (adapter === undefined || client === undefined) throw new Error("nothing was sent");
  expect(adapter.path).toBe(client.path);
  return { adapter, client };
}

const edit = (withMask: boolean): ProviderEdit => ({
  kind: "edit",
  image,
  mask: withMask ? mask : null,
  strength: null,
});

/** A JSON body with images replaced by their media type. */
function withoutImages({ body }: ProtocolCall): unknown {
  const text = body
    .toString()
    .replaceAll(/"(?:data:image\/png;base64,)?[A-Za-z0-9+/]{500,}=*"/g, '"image"');
  return JSON.parse(text);
}

/** The parts of a form: the texts of its fields, and the names and types of its files. */
async function partsOf(call: ProtocolCall): Promise<string[][]> {
  return ((await readForm(call)) ?? [])
    .map(({ name, fileName, mediaType, bytes }) =>
      fileName === null ? [name, bytes.toString()] : [name, fileName, mediaType],
    )
    .toSorted((left, right) => left.join().localeCompare(right.join()));
}

const dataUrl = (bytes: Uint8Array) =>
  `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;

/** The client builds its URLs for fal's own host; this redirects them. */
const falClient = (url: string) =>
  createFalClient({
    credentials: falContract.apiKey ?? "",
    fetch: (input, init) => {
      const { href } = new URL(input instanceof Request ? input.url : input);
      return fetch(href.replace("https://queue.fal.run", url), init);
    },
  });

test("OpenAI: an edit with a mask has the parts that openai sends", async () => {
  const { adapter, client } = await compare(
    openAiContract,
    { task: edit(true), background: "transparent" },
    async (url) => {
      const openai = new OpenAI({ apiKey: openAiContract.apiKey, baseURL: `${url}/v1` });
      const alpha = await sharp({
        create: { width: 1024, height: 1024, channels: 4, background: "#0000" },
      })
        .png()
        .toBuffer();
      await openai.images.edit({
        model: "gpt-image-2.6-flare",
        prompt: "a boat",
        n: 1,
        size: "1024x1024",
        quality: "medium",
        complexity: "high",
        output_format: "png",
        background: "transparent",
        image: [await toFile(image.bytes, "image-1.png", { type: "image/png" })],
        mask: await toFile(alpha, "mask.png", { type: "image/png" }),
      });
    },
  );
  expect(await partsOf(adapter)).toEqual(await partsOf(client));
});

test("OpenAI: an edit with markup has the parts that openai sends", async () => {
  const drawn = {
    create: { width: 1024, height: 1024, channels: 4 as const, background: "#f008" },
  };
  const markup = await sharp(drawn).png().toBuffer();
  const { adapter, client } = await compare(
    openAiContract,
    { task: { ...edit(false), markup } },
    async (url) => {
      const openai = new OpenAI({ apiKey: openAiContract.apiKey, baseURL: `${url}/v1` });
      await openai.images.edit({
        model: "gpt-image-2.6-flare",
        prompt: "a boat",
        n: 1,
        size: "1024x1024",
        quality: "medium",
        complexity: "high",
        output_format: "png",
        image: [await toFile(image.bytes, "image-1.png", { type: "image/png" })],
        markup: await toFile(markup, "markup.png", { type: "image/png" }),
      });
    },
  );
  expect(await partsOf(adapter)).toEqual(await partsOf(client));
});

test("fal: an edit with a mask has the input that @fal-ai/client types and sends", async () => {
  const model = "fal-ai/flux-pro/v1/fill";
  const { adapter, client } = await compare(falContract, { model, task: edit(true) }, (url) =>
    falClient(url).queue.submit(model, {
      input: {
        prompt: "a boat",
        image_url: dataUrl(image.bytes),
        mask_url: dataUrl(mask),
        seed: 7,
        output_format: "png",
      },
    }),
  );
  expect(withoutImages(adapter)).toEqual(withoutImages(client));
});

test("fal: a graphic has the input that @fal-ai/client types and sends", async () => {
  const model = "fal-ai/recraft/v4/text-to-vector";
  const task = {
    kind: "graphic",
    graphic: "icon",
    palette: ["#010203"],
    background: "#ffffff",
  } as const;
  const { adapter, client } = await compare(falContract, { model, task, rawPrompt: true }, (url) =>
    falClient(url).queue.submit(model, {
      input: {
        prompt: "a boat",
        image_size: { width: 1024, height: 1024 },
        colors: [{ r: 1, g: 2, b: 3 }],
        background_color: { r: 255, g: 255, b: 255 },
      },
    }),
  );
  expect(withoutImages(adapter)).toEqual(withoutImages(client));
});

test("Replicate: an edit with a mask has the body that replicate sends", async () => {
  const model = "black-forest-labs/flux-fill-pro";
  const { adapter, client } = await compare(replicateContract, { model, task: edit(true) }, (url) =>
    new Replicate({
      auth: replicateContract.apiKey ?? "",
      baseUrl: `${url}/v1`,
    }).predictions.create({
      model,
      input: {
        prompt: "a boat",
        image: dataUrl(image.bytes),
        mask: dataUrl(mask),
        seed: 7,
        output_format: "png",
      },
    }),
  );
  expect(withoutImages(adapter)).toEqual(withoutImages(client));
});

test("Gemini: an edit has the contents that @google/genai sends", async () => {
  const { adapter, client } = await compare(
    geminiContract,
    { task: edit(false), aspectRatio: "1:1" },
    (url) =>
      new GoogleGenAI({
        apiKey: geminiContract.apiKey ?? "",
        httpOptions: { baseUrl: url, apiVersion: "v1beta" },
      }).models.generateContent({
        model: "gemini-3-pro-image",
        contents: [
          {
            role: "user",
            parts: [
              {
                inlineData: {
                  mimeType: "image/png",
                  data: Buffer.from(image.bytes).toString("base64"),
                },
              },
              { text: "a boat" },
            ],
          },
        ],
        config: {
          responseModalities: ["IMAGE"],
          imageConfig: { aspectRatio: "1:1", imageSize: "1K" },
          seed: 7,
        },
      }),
  );
  expect(withoutImages(adapter)).toEqual(withoutImages(client));
});
