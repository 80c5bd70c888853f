import { generationResponse, jobAccepted, type GenerationResponse } from "@atelier/schemas";
import { shareStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createClient, readError, type Client } from "./support/client.ts";
import { holdCalls } from "./support/hold-calls.ts";

const body = { model: "fake-blind", prompt: "a lighthouse at dusk" };

const unknownUpload = { upload_id: "0198c3a0-1111-7222-8333-444455556666" };

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
});

afterAll(() => stack?.stop());

afterEach(() => stack.provider.behave(() => ({ kind: "image" })));

async function generate(request: object, of: Client = client): Promise<GenerationResponse> {
  const response = await of.generate(request);
  expect(response.status).toBe(200);
  return generationResponse.parse(await response.json());
}

describe("Prefer: wait of a read", () => {
  const read = (own: Client, jobId: string, prefer: string) =>
    stack.request(own.account, "GET", `/v1/jobs/${jobId}`, undefined, { Prefer: prefer });

  it("waits for the end of the job", async () => {
    const own = await createClient(stack);
    const held = holdCalls(stack.provider);
    const jobId = await own.accept(body);
    await held.called;
    const waiting = read(own, jobId, "wait=600");
    expect(await (await read(own, jobId, "respond-async")).json()).toMatchObject({
      status: "processing",
    });
    held.release();
    const response = await waiting;
    expect(await response.json()).toMatchObject({ id: jobId, status: "completed" });
    // The most that a request may wait.
    expect(response.headers.get("Preference-Applied")).toBe("wait=120");
    const final = await read(own, jobId, "wait=5");
    expect(final.headers.get("Preference-Applied")).toBe("wait=5");
  });

  it("ends after its time, with the job as it is then", async () => {
    const own = await createClient(stack);
    const held = holdCalls(stack.provider);
    const jobId = await own.accept(body);
    await held.called;
    const response = await read(own, jobId, "wait=1");
    expect(await response.json()).toMatchObject({ status: "processing" });
    expect(response.headers.get("Preference-Applied")).toBe("wait=1");
    expect((await read(own, jobId, "wait=soon")).status).toBe(400);
    held.release();
    await own.untilFinal(jobId);
  });
});

describe("options of the engine", () => {
  it("reach the provider over the presets of the model", async () => {
    const from = stack.provider.calls.length;
    const parameters = { steps: 4, loras: [{ name: "detail", weight: 0.5 }] };
    await generate({ ...body, parameters });
    await generate(body);
    expect(stack.provider.calls.slice(from).map((call) => call.parameters)).toEqual([
      {
        steps: 4,
        loras: [
          { name: "house-style", weight: 1 },
          { name: "detail", weight: 0.5 },
        ],
      },
      { steps: 20, loras: [{ name: "house-style", weight: 1 }] },
    ]);
  });

  it.each([
    ["/v1/generate/image", {}],
    ["/v1/generate/scene", {}],
    [
      "/v1/generate/story",
      {
        prompt: undefined,
        characters: [{ name: "Mira", description: "a sailor" }],
        scenes: [{ prompt: "a hut" }, { prompt: "a boat" }],
      },
    ],
    // Models that let requests set nothing.
    ["/v1/generate/edit", { model: "builtin-illustrator", image: unknownUpload }],
    [
      "/v1/generate/combine",
      {
        model: "builtin-illustrator",
        images: [
          { ...unknownUpload, description: "a hut" },
          { ...unknownUpload, description: "a boat" },
        ],
      },
    ],
  ])("out of the model's bounds are refused by %s before any hold", async (path, change) => {
    const own = await createClient(stack);
    const before = await own.money();
    const request = { ...body, parameters: { steps: 31, guidance: 1 }, ...change };
    const response = await stack.request(own.account, "POST", path, request);
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "model_not_capable",
      details: [
        { path: "parameters.steps", capability: "parameters.steps" },
        { path: "parameters.guidance", capability: "parameters.guidance" },
      ],
    });
    expect(await own.money()).toEqual(before);
  });

  it("are refused by a quote with the same error", async () => {
    const response = await stack.request(client.account, "POST", "/v1/quotes", {
      operation: "image",
      request: { ...body, parameters: { steps: 31 } },
    });
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      details: [{ capability: "parameters.steps" }],
    });
  });

  it("are stated by the models as a JSON schema, with the price of a step", async () => {
    const response = await stack.request(client.account, "GET", "/v1/models/fake-blind");
    expect(await response.json()).toMatchObject({
      parameters: { properties: { steps: { minimum: 4, maximum: 30, default: 20 } } },
      prices: [{ image_size: "1K", eur: "0.05", eur_per_step: "0.001" }],
    });
  });

  it("are explained by the price of a quote", async () => {
    const response = await stack.request(client.account, "POST", "/v1/quotes", {
      operation: "image",
      request: { ...body, parameters: { steps: 30 }, n: 2 },
    });
    expect(await response.json()).toMatchObject({
      price_eur: "0.12",
      price: {
        images: 2,
        eur_per_image: "0.06",
        steps: { requested: 30, included: 20, eur_per_step: "0.001" },
      },
    });
  });

  it.each([
    // 0.05 EUR with the 20 steps of the preset, and 0.001 EUR for each step more or fewer.
    ["image", {}, 0.05],
    ["image", { parameters: { sampler: "Euler" } }, 0.05],
    ["image", { parameters: { steps: 4 }, n: 2 }, 0.068],
    ["image", { parameters: { steps: 30 } }, 0.06],
    ["scene", { parameters: { steps: 30 } }, 0.06],
    [
      "story",
      {
        prompt: undefined,
        parameters: { steps: 30 },
        characters: [{ name: "Mira", description: "a sailor" }],
        scenes: [{ prompt: "a hut" }, { prompt: "a boat" }],
      },
      0.18,
    ],
  ])("with a price: %s with %j costs as quoted", async (operation, change, eur) => {
    const own = await createClient(stack);
    const before = Number((await own.money()).balance_eur);
    const held = holdCalls(stack.provider);
    const request = { ...body, ...change };
    const quoted = await stack.request(own.account, "POST", "/v1/quotes", { operation, request });
    expect(Number(((await quoted.json()) as { price_eur: string }).price_eur)).toBe(eur);
    const accepted = await stack.request(
      own.account,
      "POST",
      `/v1/generate/${operation}`,
      request,
      { Prefer: "respond-async" },
    );
    const { job_id: jobId } = jobAccepted.parse(await accepted.json());
    expect(Number((await own.money()).held_eur)).toBe(eur);
    held.release();
    await own.untilFinal(jobId);
    const { balance_eur: left, held_eur: rest } = await own.money();
    expect({ spent: before - Number(left), held: Number(rest) }).toEqual({
      spent: expect.closeTo(eur, 6),
      held: 0,
    });
  });
});

describe("words that the built-in illustrator cannot read", () => {
  it("are named in the warnings of the response, with what it drew", async () => {
    const model = "builtin-illustrator";
    const { warnings } = await generate({ model, prompt: "a 🦊 by the lighthouse" });
    expect(warnings).toEqual(["The model drew: lighthouse. It cannot read: 🦊."]);
    const { warnings: ofPattern } = await generate({ model, prompt: "ثعلب" });
    expect(ofPattern).toEqual([
      expect.stringContaining("The model cannot read: ثعلب. It drew a pattern"),
    ]);
    expect(await generate({ model, prompt: "a fox in the snow" })).not.toHaveProperty("warnings");
  });
});

describe("engine commands in a prompt", () => {
  it("are named in the warnings of the response", async () => {
    const { warnings } = await generate({
      ...body,
      prompt: 'a hut <lora:detail:3> <sd_cpp_extra_args>{"steps": 150}</sd_cpp_extra_args>',
      n: 2,
    });
    expect(warnings).toEqual([
      expect.stringContaining("<lora:detail:3> in the prompt has no effect"),
      expect.stringContaining("<sd_cpp_extra_args> in the prompt has no effect"),
    ]);
  });

  it("are found in the texts of references and scenes too", async () => {
    const { warnings } = await generate({ ...body, prompt: "a hut" });
    expect(warnings).toBeUndefined();
    const story = await stack.request(client.account, "POST", "/v1/generate/story", {
      model: "fake-blind",
      characters: [{ name: "Mira", description: "a sailor <lora:sailor:1>" }],
      scenes: [
        { prompt: "Mira at sea", characters: ["Mira"] },
        { prompt: "Mira at home <lora:home:1>" },
      ],
    });
    const { job_id: jobId } = jobAccepted.parse(await story.json());
    const { result } = await client.untilFinal(jobId);
    expect(result?.warnings).toHaveLength(2);
  });
});

describe("several images of a prompt", () => {
  it("are one job with n images, consecutive seeds and n times the price", async () => {
    const own = await createClient(stack);
    const from = stack.provider.calls.length;
    const result = await generate({ ...body, n: 3, seed: 2 ** 32 - 2 }, own);
    expect(result.cost_eur).toBe("0.15");
    expect(result.images?.map(({ index, seed }) => [index, seed])).toEqual([
      [0, 2 ** 32 - 2],
      [1, 2 ** 32 - 1],
      [2, 0],
    ]);
    expect(result.image_urls).toEqual(result.images?.map(({ image_url }) => image_url));
    expect(result.image_hashes).toEqual(result.images?.map(({ image_hash }) => image_hash));
    expect(result.image_url).toBe(result.image_urls?.[0]);
    expect(new Set(result.image_urls).size).toBe(3);
    const seeds = stack.provider.calls.slice(from).map(({ seed }) => seed);
    expect(new Set(seeds)).toEqual(new Set([2 ** 32 - 2, 2 ** 32 - 1, 0]));
    expect(seeds).toHaveLength(3);
    expect(await own.money()).toEqual({ balance_eur: "9.85", held_eur: "0.00" });
    expect(await own.read(result.id)).toMatchObject({
      status: "completed",
      renders_total: 3,
      renders_completed: 3,
      scenes_total: null,
      scenes_completed: null,
    });
  });

  it("fail together and cost nothing when one of them is refused", async () => {
    const own = await createClient(stack);
    stack.provider.behave(({ seed }) =>
      seed === 12 ? { kind: "refuse", categories: ["violence"] } : { kind: "image" },
    );
    const response = await own.generate({ ...body, n: 4, seed: 10 });
    expect(response.status).toBe(502);
    expect((await readError(response)).error).toBe("provider_refused");
    expect(await own.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
  });

  it("are refused without credit for all of them", async () => {
    const poor = await createClient(stack, "0.10");
    const response = await poor.generate({ ...body, n: 3 });
    expect(response.status).toBe(402);
    expect((await readError(response)).details).toEqual({
      required_eur: "0.15",
      balance_eur: "0.10",
    });
  });

  it("are cancelled after the images in progress", async () => {
    const own = await createClient(stack);
    const held = holdCalls(stack.provider);
    const jobId = await own.accept({ ...body, n: 10 });
    await held.called;
    expect((await own.cancel(jobId)).status).toBe(202);
    held.release();
    expect(await own.untilFinal(jobId)).toMatchObject({ status: "cancelled", cost_eur: "0.00" });
    expect(await own.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
  });

  it.each([0, 11, 1.5, "two"])("are refused for n = %j", async (n) => {
    const response = await client.generate({ ...body, n });
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({ details: [{ path: "n" }] });
  });
});

describe("the seed", () => {
  it("makes the same image again, and is returned also when the service chose it", async () => {
    const request = { model: "builtin-pattern", prompt: "blue and gold" };
    const chosen = await generate(request);
    const [again, other] = await Promise.all([
      generate({ ...request, seed: chosen.seed }),
      generate({ ...request, seed: 1 }),
    ]);
    const [first, second, third] = await Promise.all([chosen, again, other].map(pixelsOf));
    expect(second?.equals(first!)).toBe(true);
    expect(third?.equals(first!)).toBe(false);
    expect(await client.read(chosen.id)).toMatchObject({
      seed: chosen.seed,
      request: { seed: chosen.seed, n: 1, aspect_ratio: "1:1", image_size: "1K" },
    });
  });
});

async function pixelsOf({ image_url }: GenerationResponse): Promise<Buffer> {
  const file = await (await fetch(image_url ?? "")).arrayBuffer();
  return sharp(file).resize(32, 32).removeAlpha().raw().toBuffer();
}

describe("options that a model lacks", () => {
  it("are refused before anything is held, each with its capability", async () => {
    const own = await createClient(stack);
    const response = await own.generate({
      model: "builtin-pattern",
      prompt: "blue and gold",
      negative_prompt: "red",
      background: "transparent",
    });
    expect(response.status).toBe(422);
    expect(response.headers.has("X-Service-Job-Id")).toBe(false);
    expect(await readError(response)).toMatchObject({
      error: "model_not_capable",
      details: [
        { path: "negative_prompt", code: "model_not_capable", capability: "negative_prompt" },
        { path: "background", code: "model_not_capable", capability: "transparency" },
      ],
    });
    expect(await own.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
  });
});

describe("a negative prompt", () => {
  it("is sent to the provider", async () => {
    await generate({ ...body, negative_prompt: "fog" });
    expect(stack.provider.calls.at(-1)).toMatchObject({ negativePrompt: "fog" });
  });

  it("is moderated together with the prompt", async () => {
    const response = await client.generate({
      ...body,
      prompt: "a child at the beach",
      negative_prompt: "clothes",
    });
    expect([422, 451]).toContain(response.status);
    await readError(response);
  });
});

describe("a transparent background", () => {
  it("is kept in PNG and WebP and flattened on white in JPEG", async () => {
    const bytes = await sharp({
      create: { width: 64, height: 64, channels: 4, background: "#00000000" },
    })
      .png()
      .toBuffer();
    stack.provider.behave(() => ({ kind: "image", bytes }));
    const { formats } = await generate({ ...body, background: "transparent" });
    expect(stack.provider.calls.at(-1)).toMatchObject({ background: "transparent" });
    expect(formats?.jpeg?.flattened).toBe(true);
    expect(formats?.png).not.toHaveProperty("flattened");
    const cornerOf = async (format: "png" | "jpeg" | "webp") => {
      const file = await (await fetch(formats?.[format]?.url ?? "")).arrayBuffer();
      return [...(await sharp(file).raw().toBuffer()).subarray(0, format === "jpeg" ? 3 : 4)];
    };
    expect((await cornerOf("png"))[3]).toBe(0);
    expect((await cornerOf("webp"))[3]).toBe(0);
    expect(Math.min(...(await cornerOf("jpeg")))).toBeGreaterThan(245);
  });

  it("does not mark the JPEG of an opaque image", async () => {
    expect((await generate(body)).formats?.jpeg).not.toHaveProperty("flattened");
  });
});

describe("metadata", () => {
  const metadata = { order: "A-1027", note: "a naked woman posing seductively" };

  it("is returned with the job, and neither moderated nor sent to the provider", async () => {
    const result = await generate({ ...body, metadata });
    expect(JSON.stringify(stack.provider.calls.at(-1))).not.toContain("A-1027");
    const job = await client.read(result.id);
    expect(job.metadata).toEqual(metadata);
    expect(JSON.stringify(job.request)).not.toContain("A-1027");
    const { jobs } = await client.list("?limit=1");
    expect(jobs).toMatchObject([{ id: result.id, metadata, prompt: body.prompt }]);
    const files = await Promise.all(
      Object.values(result.formats ?? {}).map(async ({ url }) =>
        Buffer.from(await (await fetch(url)).arrayBuffer()),
      ),
    );
    expect(files.some((file) => file.includes("A-1027"))).toBe(false);
  });

  it.each([
    ["17 pairs", Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, "v"]))],
    ["a key of 65 characters", { ["k".repeat(65)]: "v" }],
    ["a value of 513 characters", { key: "v".repeat(513) }],
    ["a number", { key: 1 }],
  ])("is refused with %s", async (_what, wrong) => {
    const response = await client.generate({ ...body, metadata: wrong });
    expect(response.status).toBe(400);
    expect(JSON.stringify((await readError(response)).details)).toContain('"path":"metadata');
  });
});

describe("the job", () => {
  it("names its key and shows the request without the queries of references", async () => {
    const first = await generate(body);
    const result = await generate({
      ...body,
      reference_images: [{ description: "the same place", url: first.image_url }],
    });
    const job = await client.read(result.id);
    expect(job.key).toEqual({ id: client.account.keyId, name: "test" });
    expect(job.request).toMatchObject({
      prompt: body.prompt,
      reference_images: [{ url: first.image_url?.replace(/\?.*/, "") }],
    });
    expect(JSON.stringify(job.request)).not.toContain("signature");
  });
});

describe("the filters of a list", () => {
  it("select jobs by metadata, words, model and time", async () => {
    const own = await createClient(stack);
    const boat = await generate(
      { ...body, prompt: "a red boat", metadata: { "shop.order": "7" } },
      own,
    );
    const fox = await generate(
      { ...body, prompt: "a red fox", metadata: { "shop.order": "8" } },
      own,
    );
    const ids = async (query: string) => (await own.list(query)).jobs.map(({ id }) => id);
    expect(await ids("?metadata.shop.order=7")).toEqual([boat.id]);
    expect(await ids("?metadata.shop.order=9")).toEqual([]);
    expect(await ids("?q=red")).toEqual([fox.id, boat.id]);
    expect(await ids("?q=Fox+red&metadata.shop.order=8")).toEqual([fox.id]);
    expect(await ids("?model=fake-blind&kind=image&status=completed")).toEqual([fox.id, boat.id]);
    expect(await ids("?model=builtin-pattern")).toEqual([]);
    const { created_at: time } = await own.read(fox.id);
    expect(await ids(`?created_after=${time}`)).toEqual([fox.id]);
    expect(await ids(`?created_before=${time}`)).toEqual([boat.id]);
    const first = await own.list("?q=red&limit=1");
    expect(await ids(`?q=red&limit=1&cursor=${first.next_cursor}`)).toEqual([boat.id]);
  });

  it.each(["?created_after=yesterday", "?q=", "?metadata=7", "?metadata.=7", "?label=7"])(
    "refuse %s",
    async (query) => {
      const response = await stack.request(client.account, "GET", `/v1/jobs${query}`);
      expect(response.status).toBe(400);
    },
  );
});
