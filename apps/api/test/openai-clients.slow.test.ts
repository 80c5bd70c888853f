import { oneModel, modelList, openaiImages, type OpenAIImages } from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { differencesOf, flat, makePictures, readImages } from "./support/pictures.ts";

/** A fast model with one image size, under its own name and under one of OpenAI's. */
const model = "fake-blind";
const openaiModel = "gpt-image-1";
const editor = "builtin-illustrator";
const prompt = "a lighthouse at dusk";

let stack: Stack;
let account: TestAccount;
let openai: OpenAI;
/** A picture of one colour, and a mask that is transparent in its right half. */
let picture: Buffer;
let mask: Buffer;

beforeAll(async () => {
  ({ picture, mask } = await makePictures());
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      WORKER_LANES: "builtin,fake-blind",
      OPENAI_MODEL_ALIASES: `dall-e-3=builtin-pattern,gpt-image-2=builtin-pattern,gpt-image-*=${model}`,
    },
  });
  account = await stack.createAccount();
  openai = new OpenAI({ baseURL: `${stack.url}/v1`, apiKey: account.key });
});

afterAll(() => stack.stop());

/** An image as a file of OpenAI's client. */
const fileOf = (bytes: Buffer) => toFile(bytes, "image.png", { type: "image/png" });

/** Sends a form; files are buffers. */
async function postForm(
  path: string,
  parts: readonly (readonly [name: string, value: string | Buffer])[],
  of = account,
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)], { type: "image/png" }), "image.png");
  }
  return fetch(stack.url + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${of.key}` },
    body: form,
  });
}

async function post(path: string, body: object): Promise<[Response, OpenAIImages]> {
  const response = await stack.request(account, "POST", path, body);
  expect(response.status).toBe(200);
  return [response, openaiImages.parse(await response.json())];
}

describe("OpenAI's client", () => {
  it("lists the models and the names that the operator maps to them", async () => {
    const { data } = await openai.models.list();
    const ids = data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["builtin-illustrator", model, "dall-e-3"]));
    expect(data[0]).toEqual({
      id: expect.any(String),
      object: "model",
      created: expect.any(Number),
      owned_by: expect.any(String),
    });
  });

  it("reads a model by its id and by another name", async () => {
    expect(await openai.models.retrieve(model)).toMatchObject({ id: model, owned_by: model });
    const mapped = await openai.models.retrieve("gpt-image-1.5");
    expect(mapped).toMatchObject({ id: "gpt-image-1.5", owned_by: model });
    await expect(openai.models.retrieve("dall-e-2")).rejects.toThrow(OpenAI.NotFoundError);
  });

  it("makes two images and gets their URLs", async () => {
    const { data, response } = await openai.images
      .generate({ model, prompt, n: 2, quality: "hd", style: "vivid", response_format: "url" })
      .withResponse();
    expect(response.headers.get("Atelier-Ignored")).toBe("quality, style");
    expect(data.size).toBe("256x256");
    const urls = data.data?.map(({ url }) => url ?? "") ?? [];
    expect(new Set(urls).size).toBe(2);
    const types = await Promise.all(
      urls.map(async (url) => (await fetch(url)).headers.get("Content-Type")),
    );
    expect(types).toEqual(["image/png", "image/png"]);
    expect(data.data?.[0]).not.toHaveProperty("b64_json");
  });

  it("makes two images and gets their bytes", async () => {
    const { data, output_format } = await openai.images.generate({
      model,
      prompt,
      n: 2,
      quality: "low",
      response_format: "b64_json",
      output_format: "webp",
    });
    expect(output_format).toBe("webp");
    expect(data?.[0]).not.toHaveProperty("url");
    const images = await readImages(data?.map(({ b64_json }) => b64_json) ?? []);
    expect(images).toMatchObject([
      { format: "webp", width: 256 },
      { format: "webp", width: 256 },
    ]);
  });

  it("gets bytes of gpt-image models and URLs of dall-e models when it does not say which", async () => {
    const { data } = await openai.images.generate({ model: openaiModel, prompt });
    expect(data).toEqual([{ b64_json: expect.any(String) }]);
    const { data: urls } = await openai.images.generate({ model: "dall-e-3", prompt });
    expect(urls).toEqual([{ url: expect.any(String) }]);
  });

  it.each(["low", "standard", "hd", "high", "max"] as const)(
    "gets the same size at the same price for the quality %s",
    async (quality) => {
      const { data, response } = await openai.images
        .generate({
          model: "dall-e-3",
          prompt,
          size: "1024x1024",
          quality,
          response_format: "b64_json",
        })
        .withResponse();
      const [image] = await readImages([data.data?.[0]?.b64_json]);
      expect(image?.width).toBe(1_024);
      expect(data).toMatchObject({ size: "1024x1024", background: "opaque" });
      expect(response.headers.get("Atelier-Ignored")).toBe("quality");
      const jobId = response.headers.get("X-Service-Job-Id");
      const read = await stack.request(account, "GET", `/v1/jobs/${jobId}`);
      expect(await read.json()).toMatchObject({ cost_eur: "0.01" });
    },
  );

  it.each([
    ["1536x1024", "1536x1024", null],
    ["512x512", "512x512", null],
    // Not a multiple of 8, and smaller than what the model makes.
    ["1500x1000", "1504x1000", "size=1504x1000"],
    ["256x256", "512x512", "size=512x512"],
  ] as const)("asks for %s, gets %s and is told of a change", async (size, made, adjusted) => {
    const { data, response } = await openai.images
      .generate({ model: "dall-e-3", prompt, response_format: "b64_json", size })
      .withResponse();
    const [image] = await readImages([data.data?.[0]?.b64_json]);
    expect(`${image?.width}x${image?.height}`).toBe(made);
    expect(data.size).toBe(made);
    expect(response.headers.get("Atelier-Adjusted")).toBe(adjusted);
  });

  it("learns which sizes exist when the model makes nothing like the one it asks for", async () => {
    const before = await stack.request(account, "GET", "/v1/account");
    const wanted = openai.images.generate({
      model: "dall-e-3",
      prompt,
      size: "128x128",
    });
    await expect(wanted).rejects.toMatchObject({
      status: 400,
      code: "unsupported_image_size",
      param: "size",
      message: expect.stringContaining("edges from 512 to 4096") as string,
    });
    const after = await stack.request(account, "GET", "/v1/account");
    expect(await after.json()).toEqual(await before.json());
  });

  it("gets a transparent background from a model that supports it", async () => {
    const { background } = await openai.images.generate({
      model,
      prompt,
      background: "transparent",
      response_format: "url",
    });
    expect(background).toBe("transparent");
    expect(stack.provider.calls.at(-1)?.background).toBe("transparent");
  });

  it("receives one event for each image of a stream", async () => {
    const stream = await openai.images.generate({
      model,
      prompt,
      n: 2,
      stream: true,
      partial_images: 0,
      output_format: "jpeg",
    });
    const events = await Array.fromAsync(stream);
    expect(events).toEqual(
      Array.from({ length: 2 }, () => ({
        type: "image_generation.completed",
        b64_json: expect.any(String),
        background: "opaque",
        created_at: expect.any(Number),
        output_format: "jpeg",
        quality: "auto",
        size: "256x256",
        usage: {
          input_tokens: 0,
          input_tokens_details: { image_tokens: 0, text_tokens: 0 },
          output_tokens: 0,
          total_tokens: 0,
        },
      })),
    );
    const images = await readImages(events.map(({ b64_json }) => b64_json));
    expect(images.map(({ format }) => format)).toEqual(["jpeg", "jpeg"]);
  });

  it("gets an error and no stream when moderation refuses the prompt of a stream", async () => {
    const refused = openai.images.generate({
      model,
      prompt: "a severed head on a table",
      stream: true,
    });
    await expect(refused).rejects.toMatchObject({ status: 400, code: "content_policy_violation" });
  });
});

describe("OpenAI's client with an image", () => {
  it("edits inside the transparent area of a mask and nowhere else", async () => {
    const { data, size } = await openai.images.edit({
      model: editor,
      prompt: "a blue boat",
      image: await fileOf(picture),
      mask: await fileOf(mask),
      response_format: "b64_json",
      input_fidelity: "high",
    });
    expect(size).toBe("64x48");
    const { left, right } = await differencesOf(picture, data?.[0]?.b64_json);
    expect(left).toBeLessThan(2);
    expect(right).toBeGreaterThan(20);
  });

  it("edits inside a mask at the size of the image, whose pixels no size of the model has", async () => {
    const size = "1536x1024";
    const image = await flat(1_536, 1_024, "#2050c0");
    const area = await flat(1_536, 1_024, "#fff");
    const edit = await openai.images.edit({
      model: editor,
      prompt: "a blue boat",
      image: await fileOf(image),
      mask: await fileOf(area),
      size,
    });
    expect(edit.size).toBe(size);
  });

  it("edits with several images, of which the first is changed", async () => {
    const image = [await fileOf(picture), await fileOf(await flat(64, 64, "#2050c0"))];
    const { data, response } = await openai.images
      .edit({
        model: editor,
        prompt: "a boat in the colours of the second image",
        image,
        mask: await fileOf(mask),
        n: 2,
        response_format: "url",
      })
      .withResponse();
    expect(data.data).toHaveLength(2);
    const jobId = response.headers.get("X-Service-Job-Id");
    const read = await stack.request(account, "GET", `/v1/jobs/${jobId}`);
    const { request } = (await read.json()) as { request: { reference_images: object[] } };
    expect(request.reference_images).toMatchObject([{ description: "image 2 of the request" }]);
  });

  it("receives an edit as a stream", async () => {
    const stream = await openai.images.edit({
      model: editor,
      prompt: "a blue boat",
      image: await fileOf(picture),
      mask: await fileOf(mask),
      stream: true,
    });
    expect(await Array.fromAsync(stream)).toMatchObject([
      { type: "image_edit.completed", size: "64x48", b64_json: expect.any(String) },
    ]);
  });

  it("makes variations", async () => {
    const { data } = await openai.images.createVariation({
      model: editor,
      image: await fileOf(picture),
      n: 2,
      response_format: "url",
    });
    expect(data).toHaveLength(2);
  });

  it("edits once per idempotency key and files", async () => {
    const other = await stack.createAccount();
    const client = new OpenAI({ baseURL: `${stack.url}/v1`, apiKey: other.key });
    const edit = async (bytes: Buffer) =>
      client.images
        .edit(
          { model: editor, prompt: "a boat", image: await fileOf(bytes), response_format: "url" },
          { headers: { "Idempotency-Key": "once" } },
        )
        .withResponse();
    await edit(picture);
    expect((await edit(picture)).response.headers.get("Idempotent-Replayed")).toBe("true");
    await expect(edit(mask)).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });
});

describe("an edit as a form", () => {
  const start = [
    ["model", editor],
    ["prompt", "a boat"],
  ] as const;
  /** Has a readable header, and breaks off in the pixels. */
  const damaged = () => picture.subarray(0, -40);
  const tooMany = (name: string, count: number) =>
    Array.from({ length: count }, () => [name, picture] as const);

  it("keeps nothing of its images after the job", async () => {
    const other = await stack.createAccount();
    const response = await postForm("/v1/images/edits", [...start, ["image", picture]], other);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    await expect
      .poll(() =>
        stack.database.query("SELECT FROM upload WHERE account_id = $1", [other.accountId]),
      )
      .toEqual([]);
  });

  it("stores nothing for a model that cannot edit", async () => {
    const other = await stack.createAccount();
    const parts = [
      ["model", model],
      ["prompt", "a boat"],
      ["image", picture],
    ] as const;
    const response = await postForm("/v1/images/edits", parts, other);
    expect(await response.json()).toMatchObject({ error: { code: "model_not_capable" } });
    const query = "SELECT FROM upload WHERE account_id = $1";
    expect(await stack.database.query(query, [other.accountId])).toEqual([]);
  });

  it.each([
    ["without an image", () => [], "invalid_request", "image"],
    ["with 17 images", () => tooMany("image[]", 17), "invalid_request", "image"],
    ["with 19 files", () => tooMany("image[]", 19), "invalid_request", null],
    [
      "with two masks",
      () => [...tooMany("image", 1), ...tooMany("mask[]", 2)],
      "invalid_request",
      "mask",
    ],
    [
      "with a text as the image",
      () => [["image", Buffer.from("not an image")] as const],
      "upload_invalid",
      "image",
    ],
    ["with a damaged image", () => [["image", damaged()] as const], "reference_invalid", "image"],
    [
      "with a damaged mask",
      () => [["image", picture] as const, ["mask", damaged()] as const],
      "reference_invalid",
      "mask",
    ],
    [
      "with a mask of another size",
      async () => [["image", await flat(32, 32, "#fff")] as const, ["mask", mask] as const],
      "reference_invalid",
      "mask",
    ],
  ])("is refused %s", async (_, makeFiles, code, param) => {
    const response = await postForm("/v1/images/edits", [...start, ...(await makeFiles())]);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code, param } });
  });

  it("is refused when a text has a NUL character", async () => {
    const parts = [
      ["model", editor],
      ["prompt", "a\0boat"],
      ["image", picture],
    ] as const;
    const response = await postForm("/v1/images/edits", parts);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "invalid_request", param: "prompt" },
    });
  });

  it("is refused when it is cut off or is not a form", async () => {
    const send = (type: string, body: string) =>
      stack.request(account, "POST", "/v1/images/edits", body, { "Content-Type": type });
    const cut = await send(
      "multipart/form-data; boundary=x",
      "--x\r\nContent-Disposition: form-data",
    );
    expect(await cut.json()).toMatchObject({ error: { code: "invalid_request" } });
    const text = await send("text/plain", "an image");
    expect(await text.json()).toMatchObject({ error: { code: "unsupported_media_type" } });
  });

  it("can be JSON that names uploads", async () => {
    const uploaded = await postForm("/v1/uploads", [["file", picture]]);
    const { id } = (await uploaded.json()) as { id: string };
    const [, { size }] = await post("/v1/images/edits", {
      model: editor,
      prompt: "a boat",
      images: [{ file_id: id }],
      mask: { file_id: id },
      response_format: "url",
    });
    expect(size).toBe("64x48");
  });

  it("can be JSON with data: URLs", async () => {
    const dataUrl = `data:image/png;base64,${picture.toString("base64")}`;
    const [, { size }] = await post("/v1/images/edits", {
      model: editor,
      prompt: "a boat",
      images: [{ image_url: dataUrl }],
      mask: { image_url: dataUrl },
      response_format: "url",
    });
    expect(size).toBe("64x48");
  });
});

describe("the recorded requests of", () => {
  // backend/open_webui/routers/images.py of open-webui/open-webui at 02530d501461.
  it("Open WebUI make images, with the version of Azure's API in the query", async () => {
    const [, { data }] = await post("/v1/images/generations?api-version=2025-04-01-preview", {
      model: "dall-e-3",
      prompt,
      n: 1,
      size: "512x512",
      response_format: "b64_json",
    });
    expect(data[0]).not.toHaveProperty("url");
    expect(await readImages([data[0]?.b64_json])).toMatchObject([{ format: "png" }]);
  });

  // The same file: one image as image, several as image[], and all values as text.
  it.each([["image"], ["image[]", "image[]"]])("Open WebUI edit %s", async (...names) => {
    const response = await postForm("/v1/images/edits?api-version=2025-04-01-preview", [
      ["model", editor],
      ["prompt", "a blue boat"],
      ["n", "1"],
      ["size", "512x512"],
      ["background", "auto"],
      ["response_format", "b64_json"],
      ...names.map((name) => [name, picture] as const),
    ]);
    const { data } = openaiImages.parse(await response.json());
    expect(data[0]).not.toHaveProperty("url");
    const made = { format: "png", width: 512, height: 512 };
    expect(await readImages([data[0]?.b64_json])).toMatchObject([made]);
    expect(response.headers.get("Atelier-Adjusted")).toBeNull();
  });

  // api/app/clients/tools/structured/OpenAIImageTools.js of danny-avila/LibreChat at 00b3bc32f0f5.
  it("LibreChat make images, of which it reads b64_json", async () => {
    const [response, { data }] = await post("/v1/images/generations", {
      model: openaiModel,
      prompt,
      n: 1,
      background: "auto",
      output_format: "webp",
      output_compression: 100,
      quality: "auto",
      size: "auto",
    });
    expect(response.headers.get("Atelier-Ignored")).toBe("output_compression");
    expect(await readImages([data[0]?.b64_json])).toMatchObject([{ format: "webp" }]);
  });

  it("LibreChat edit images, of which it reads b64_json", async () => {
    const response = await postForm("/v1/images/edits", [
      ["model", editor],
      ["prompt", "a blue boat"],
      ["quality", "auto"],
      ["size", "auto"],
      ["image[]", picture],
    ]);
    const { data } = openaiImages.parse(await response.json());
    expect(await readImages([data[0]?.b64_json])).toMatchObject([{ format: "png" }]);
  });

  // packages/@n8n/nodes-langchain/nodes/vendors/OpenAi/v2/actions/image/edit.operation.ts of n8n-io/n8n
  // at 2475cbe0321c.
  it("n8n edit an image with a mask", async () => {
    const response = await postForm("/v1/images/edits", [
      ["image", picture],
      ["prompt", "a blue boat"],
      ["model", editor],
      ["n", "1"],
      ["size", "1024x1024"],
      ["response_format", "b64_json"],
      ["user", "reader-17"],
      ["output_compression", "100"],
      ["mask", mask],
    ]);
    expect(response.headers.get("Atelier-Ignored")).toBe("output_compression");
    const { data } = openaiImages.parse(await response.json());
    const { left, right } = await differencesOf(picture, data[0]?.b64_json);
    expect(left).toBeLessThan(2);
    expect(right).toBeGreaterThan(20);
  });

  // packages/@n8n/nodes-langchain/nodes/vendors/OpenAi/v2/actions/image/generate.operation.ts of
  // n8n-io/n8n at 0713e950eff4: models of OpenAI's new names get no response_format.
  it.each([
    ["with b64_json", { model: "dall-e-3", quality: "standard", response_format: "b64_json" }],
    ["with neither format", { model: "gpt-image-2", quality: "medium", size: "1024x1536" }],
  ])("n8n make images %s", async (_, body) => {
    const [, { data }] = await post("/v1/images/generations", {
      prompt,
      style: "natural",
      n: 1,
      ...body,
    });
    expect(await readImages(data.map(({ b64_json }) => b64_json))).toHaveLength(1);
  });
});

it("GET /v1/models answers this service's clients and OpenAI's at once", async () => {
  const list = await stack.request(account, "GET", "/v1/models");
  const { models, data } = modelList.parse(await list.json());
  expect(data.slice(0, models.length).map(({ id }) => id)).toEqual(models.map(({ id }) => id));
  const one = await stack.request(account, "GET", `/v1/models/dall-e-3`);
  expect(oneModel.parse(await one.json())).toMatchObject({
    id: "dall-e-3",
    object: "model",
    name: "Built-in patterns",
  });
});

it.each([
  ["an unknown model", "dall-e-2", 404, "model_not_found"],
  ["an id that cannot be decoded", "%zz", 400, "invalid_request"],
])("GET /v1/models/{id} reports %s in OpenAI's format", async (_, id, status, code) => {
  const response = await stack.request(account, "GET", `/v1/models/${id}`);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { code } });
});

describe("the user and the metadata of a request", () => {
  const readJob = async (response: Pick<Response, "headers">) => {
    const id = response.headers.get("X-Service-Job-Id");
    return (await stack.request(account, "GET", `/v1/jobs/${id}`)).json();
  };

  it("are kept with the job of an image, which they find again", async () => {
    const user = `reader-${crypto.randomUUID()}`;
    const { response } = await openai.images
      .generate({
        model,
        prompt,
        user,
        response_format: "url",
        metadata: { order: "A-1027" },
      } as OpenAI.ImageGenerateParamsNonStreaming)
      .withResponse();
    expect(response.headers.get("Atelier-Ignored")).toBeNull();
    expect(await readJob(response)).toMatchObject({ metadata: { user, order: "A-1027" } });
    const list = await stack.request(account, "GET", `/v1/jobs?metadata.user=${user}`);
    expect(await list.json()).toMatchObject({
      jobs: [{ id: response.headers.get("X-Service-Job-Id") }],
    });
  });

  it("are kept with the job of an edit and of a variation", async () => {
    const metadata = { order: "A-1027" };
    const common = { model: editor, response_format: "url", user: "reader-17", metadata } as const;
    const image = await fileOf(picture);
    const edit = openai.images.edit({ ...common, image, prompt } as OpenAI.ImageEditParams);
    const vary = openai.images.createVariation({ ...common, image });
    for (const { response } of [await edit.withResponse(), await vary.withResponse()]) {
      expect(response.headers.get("Atelier-Ignored")).toBeNull();
      expect(await readJob(response)).toMatchObject({
        metadata: { user: "reader-17", ...metadata },
      });
    }
  });

  it("are left out and named when they are too long", async () => {
    const [response] = await post("/v1/images/generations", {
      model,
      prompt,
      user: "x".repeat(513),
      metadata: { order: 17 },
      response_format: "url",
    });
    expect(response.headers.get("Atelier-Ignored")).toBe("user, metadata");
    expect(await readJob(response)).toMatchObject({ metadata: {} });
  });
});

describe("a request without a model", () => {
  it("varies an image with the first model that can", async () => {
    const { data, response } = await openai.images
      .createVariation({ image: await fileOf(picture), response_format: "url" })
      .withResponse();
    expect(data.data).toHaveLength(1);
    const id = response.headers.get("X-Service-Job-Id");
    const job = await stack.request(account, "GET", `/v1/jobs/${id}`);
    expect(await job.json()).toMatchObject({ model: editor, operation: "edit" });
  });

  it("makes an image with the first model that can and that the key may use", async () => {
    const minted = await stack.request(account, "POST", "/v1/keys", { name: "x", models: [model] });
    const { key } = (await minted.json()) as { key: string };
    const limited = new OpenAI({ baseURL: `${stack.url}/v1`, apiKey: key });
    const { size } = await limited.images.generate({ prompt, response_format: "url" });
    expect(size).toBe("256x256");
    await expect(
      limited.images.createVariation({ image: await fileOf(picture) }),
    ).rejects.toMatchObject({ code: "model_not_found", param: "model" });
  });
});

describe("an endpoint of OpenAI's that does not exist here", () => {
  it.each([
    ["responses", () => openai.responses.create({ model, input: "hello" })],
    ["embeddings", () => openai.embeddings.create({ model, input: "hello" })],
    ["moderations", () => openai.moderations.create({ input: "hello" })],
    ["audio", () => openai.audio.speech.create({ model, input: "hello", voice: "alloy" })],
    ["images", () => openai.get("/images/generations")],
  ])("is NotFoundError with a message: %s", async (_, ask) => {
    const failure = await Promise.resolve(ask()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OpenAI.NotFoundError);
    expect(failure).toMatchObject({
      code: "not_found",
      type: "invalid_request_error",
      message: expect.stringMatching(/\/v1\/.* does not exist/) as string,
    });
  });

  it("is AuthenticationError with a message for a wrong key", async () => {
    const wrong = new OpenAI({ baseURL: `${stack.url}/v1`, apiKey: "sk-wrong" });
    const failure = await wrong.embeddings
      .create({ model, input: "hello" })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(failure).toMatchObject({ code: "unauthorized" });
  });
});

it("keeps the size of the image in a masked edit, whatever size is sent, and names it", async () => {
  const { data: edit, response } = await openai.images
    .edit({
      model: editor,
      prompt: "a blue boat",
      image: await fileOf(picture),
      mask: await fileOf(mask),
      size: "2048x2048",
    })
    .withResponse();
  expect(edit.size).toBe("64x48");
  expect(response.headers.get("Atelier-Adjusted")).toBe("size=64x48");
});

it("names parameters without an effect, and refuses the values of others", async () => {
  const [response] = await post("/v1/images/generations", {
    model,
    prompt,
    n: "1",
    stream: "false",
    response_format: "url",
    style: null,
    user: "reader-17",
    partial_images: 0,
    complexity: "low",
  });
  expect(response.headers.get("Atelier-Ignored")).toBe("partial_images, complexity");
  const refused = await stack.request(account, "POST", "/v1/images/generations", {
    model,
    prompt,
    n: "two",
  });
  expect(await refused.json()).toMatchObject({ error: { param: "n" } });
});
