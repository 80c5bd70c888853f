import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { makePictures, readImages } from "../../apps/api/test/support/pictures.ts";

/** A model that edits, under names of OpenAI's old and new models. */
const names = { old: "dall-e-3", new: "gpt-image-1" };
const prompt = "a lighthouse at dusk";

let stack: Stack;
let account: TestAccount;
let picture: Buffer;

beforeAll(async () => {
  ({ picture } = await makePictures());
  const model = "builtin-illustrator";
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      WORKER_LANES: "builtin",
      OPENAI_MODEL_ALIASES: `${names.old}=${model},${names.new}=${model}`,
    },
  });
});

afterAll(() => stack.stop());

beforeEach(async () => {
  account = await stack.createAccount();
});

/** An entry of `data`, as a client finds it. */
interface Entry {
  readonly url?: string;
  readonly b64_json?: string;
}

/** How a client turns an entry into the bytes that it shows; it throws where the client shows an error. */
type Show = (entry: Entry) => Buffer | Promise<Buffer>;

/**
 * Open WebUI downloads `url` if there is one, and takes `b64_json` otherwise. Its loader refuses addresses of
 * private networks, as a service on the same machine or in the same network has.
 */
const openWebUi: Show = async ({ url, b64_json }) => {
  if (url === undefined) return decode(b64_json);
  const { hostname } = new URL(url);
  if (isIP(hostname) !== 0 || hostname === "localhost") throw new Error(`${hostname} is private`);
  return Buffer.from(await (await fetch(url)).arrayBuffer());
};

/** LibreChat and n8n's newer models read nothing but `b64_json`. */
const onlyBytes: Show = ({ b64_json }) => decode(b64_json);

/** n8n for names of old models: what it has asked for. */
const onlyUrl: Show = async ({ url = "" }) => Buffer.from(await (await fetch(url)).arrayBuffer());

function decode(base64: string | undefined): Buffer {
  if (base64 === undefined) throw new Error("the answer has no b64_json");
  return Buffer.from(base64, "base64");
}

const dataUrl = () => `data:image/png;base64,${picture.toString("base64")}`;

function formOf(fields: Readonly<Record<string, string>>, imageName: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(imageName, new Blob([new Uint8Array(picture)], { type: "image/png" }), "a.png");
  return form;
}

const generations = "/v1/images/generations";
const edits = "/v1/images/edits";

interface Row {
  readonly client: string;
  readonly path: string;
  readonly body: () => object;
  readonly show: Show;
}

const rows: readonly Row[] = [
  {
    client: "Open WebUI with the name of an old model",
    path: `${generations}?api-version=2025-04-01-preview`,
    body: () => ({ model: names.old, prompt, n: 1, size: "512x512", response_format: "b64_json" }),
    show: openWebUi,
  },
  {
    client: "Open WebUI with the name of a new model, which gets no response_format",
    path: generations,
    body: () => ({ model: names.new, prompt, n: 1, size: "512x512" }),
    show: openWebUi,
  },
  {
    client: "Open WebUI with an edit",
    path: edits,
    body: () =>
      formOf({ model: names.new, prompt, n: "1", size: "512x512", background: "auto" }, "image"),
    show: openWebUi,
  },
  {
    client: "LibreChat",
    path: generations,
    body: () => ({
      model: names.new,
      prompt,
      n: 1,
      background: "auto",
      output_format: "webp",
      output_compression: 100,
      quality: "auto",
      size: "auto",
    }),
    show: onlyBytes,
  },
  {
    client: "LibreChat with an edit",
    path: edits,
    body: () => formOf({ model: names.new, prompt, quality: "auto", size: "auto" }, "image[]"),
    show: onlyBytes,
  },
  {
    client: "n8n with the name of a new model",
    path: generations,
    body: () => ({
      model: names.new,
      prompt,
      n: 1,
      quality: "medium",
      style: "natural",
      size: "1024x1536",
    }),
    show: onlyBytes,
  },
  {
    client: "n8n with the name of an old model that asks for a URL",
    path: generations,
    body: () => ({ model: names.old, prompt, n: 1, quality: "standard", response_format: "url" }),
    show: onlyUrl,
  },
  {
    client: "n8n with an edit",
    path: edits,
    body: () =>
      formOf(
        { model: names.new, prompt, n: "1", response_format: "b64_json", user: "reader-17" },
        "image",
      ),
    show: onlyBytes,
  },
  {
    client: "a coding assistant with an edit in JSON, whose picture is a data URL",
    path: edits,
    body: () => ({ model: names.new, prompt, images: [{ image_url: dataUrl() }] }),
    show: onlyBytes,
  },
  {
    client: "a coding assistant with several pictures as data URLs",
    path: edits,
    body: () => ({ model: names.new, prompt, image: [dataUrl(), dataUrl()] }),
    show: onlyBytes,
  },
];

it.each(rows)(
  "$client is accepted, shows the picture and pays once",
  async ({ path, body, show }) => {
    const sent = body();
    const isForm = sent instanceof FormData;
    const response = await fetch(stack.url + path, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${account.key}`,
        "X-Request-Id": randomUUID(),
        ...(!isForm && { "Content-Type": "application/json" }),
      },
      body: isForm ? sent : JSON.stringify(sent),
    });
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: [Entry] };
    const shown = await show(data[0]);
    const [read] = await readImages([shown.toString("base64")]);
    expect(read?.width).toBeGreaterThan(0);

    const listed = await stack.request(account, "GET", "/v1/jobs");
    const { jobs } = (await listed.json()) as { jobs: { cost_eur: string }[] };
    expect(jobs).toMatchObject([{ status: "completed" }]);
    const answer = await stack.request(account, "GET", "/v1/account");
    const { balance_eur } = (await answer.json()) as { balance_eur: string };
    expect(10 - Number(balance_eur)).toBeCloseTo(Number(jobs[0]?.cost_eur));
  },
);
