import { verifyProvenance } from "@atelier/provenance/images";
import {
  generationResponse,
  mintedKey,
  quote,
  upload as uploadSchema,
  type GenerationResponse,
} from "@atelier/schemas";
import { shareStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, readError, type Client } from "./support/client.ts";

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
});

afterAll(() => stack?.stop());

/** A picture with edges, as a camera would save it: without any statement about its origin. */
function photograph(width: number, height: number): Promise<Buffer> {
  const stripes = `<svg width="${width}" height="${height}"><rect width="100%" height="100%" fill="#c03020"/><circle cx="50%" cy="50%" r="20%" fill="#fff"/></svg>`;
  return sharp(Buffer.from(stripes)).removeAlpha().png().toBuffer();
}

async function upload(bytes: Buffer): Promise<{ upload_id: string }> {
  const response = await fetch(`${stack.url}/v1/uploads`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.account.key}`, "Content-Type": "image/png" },
    body: new Uint8Array(bytes),
  });
  return { upload_id: uploadSchema.parse(await response.json()).id };
}

const send = (operation: string, body: object, of = client) =>
  stack.request(of.account, "POST", `/v1/generate/${operation}`, body);

async function make(operation: string, body: object): Promise<GenerationResponse> {
  const response = await send(operation, body);
  const answer: unknown = await response.json();
  expect({ status: response.status, answer }).toMatchObject({ status: 200 });
  return generationResponse.parse(answer);
}

async function download(url: string | undefined): Promise<Buffer> {
  return Buffer.from(await (await fetch(url ?? "")).arrayBuffer());
}

async function provenanceOf({ image_url }: GenerationResponse) {
  return verifyProvenance(await download(image_url), { trustAnchorsPem: stack.trustAnchorsPem });
}

async function quoted(operation: string, request: object): Promise<string> {
  const body = { operation, request };
  const response = await stack.request(client.account, "POST", "/v1/quotes", body);
  expect(response.status).toBe(200);
  return quote.parse(await response.json()).price_eur;
}

describe("POST /v1/generate/upscale", () => {
  const upscale = { model: "builtin-upscaler" };

  it.each([
    [{ factor: 2 }, { width: 192, height: 128 }],
    [{ factor: 3.5 }, { width: 336, height: 224 }],
    [
      { width: 200, height: 200 },
      { width: 200, height: 200 },
    ],
  ])("makes the size of %j and charges what it quotes", async (scale, size) => {
    const body = { ...upscale, image: await upload(await photograph(96, 64)), ...scale };
    const result = await make("upscale", body);
    expect(await sharp(await download(result.image_url)).metadata()).toMatchObject(size);
    expect(result).toMatchObject({ ...size, model: "builtin-upscaler", ai_generated: true });
    expect(result.cost_eur).toBe(await quoted("upscale", body));
    expect(await client.read(result.id)).toMatchObject({
      operation: "upscale",
      status: "completed",
      request: { image: body.image, ...scale },
    });
  });

  it("marks an upscaled photograph as enhanced, and not as synthetic", async () => {
    const body = { ...upscale, image: await upload(await photograph(96, 64)), factor: 4 };
    const result = await make("upscale", body);
    const file = await download(result.image_url);
    expect(await verifyProvenance(file, { trustAnchorsPem: stack.trustAnchorsPem })).toMatchObject({
      state: "trusted",
      digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced",
      synthetic: null,
      aiGenerated: null,
      softwareAgent: "Built-in upscaler (Lanczos with sharpening)",
      actions: expect.arrayContaining(["c2pa.opened", "c2pa.resized"]) as string[],
      ingredients: [{ title: "edited image", relationship: "parentOf", hasManifest: false }],
      xmp: { synthetic: null },
    });
  });

  it("keeps the source type of a drawn image", async () => {
    const image = await make("image", {
      model: "builtin-illustrator",
      prompt: "a red house",
      width: 512,
      height: 512,
    });
    const drawn = await make("upscale", { ...upscale, image: { job_id: image.id }, factor: 2 });
    expect(await provenanceOf(drawn)).toMatchObject({
      synthetic: "rules",
      ingredients: [{ relationship: "parentOf", hasManifest: true }],
    });
  });

  it.each([
    [{}, 400, "invalid_request", "factor"],
    [{ factor: 5 }, 400, "invalid_request", "factor"],
    [{ factor: 2, width: 300, height: 200 }, 400, "invalid_request", "factor"],
    [{ width: 300 }, 400, "invalid_request", "width"],
    [{ width: 40, height: 40 }, 422, "unsupported_image_size", "width"],
    [{ width: 1_000, height: 100 }, 422, "unsupported_image_size", "width"],
  ])("refuses %j, and charges nothing", async (scale, status, error, path) => {
    const before = await client.money();
    const image = await upload(await photograph(96, 64));
    const response = await send("upscale", { ...upscale, image, ...scale });
    expect(response.status).toBe(status);
    expect(await readError(response)).toMatchObject({ error, details: [{ path }] });
    expect(await client.money()).toEqual(before);
  });

  it("takes the name of any model from a test key", async () => {
    const key = await stack.request(client.account, "POST", "/v1/keys", {
      name: "tests",
      mode: "test",
    });
    const account = { ...client.account, key: mintedKey.parse(await key.json()).key };
    const form = await fetch(`${stack.url}/v1/uploads`, {
      method: "POST",
      headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "image/png" },
      body: new Uint8Array(await photograph(96, 64)),
    });
    const image = { upload_id: uploadSchema.parse(await form.json()).id };
    const body = { model: "another-vendors-upscaler", image, factor: 2 };
    const response = await stack.request(account, "POST", "/v1/generate/upscale", body);
    expect(await response.json()).toMatchObject({
      model: "builtin-upscaler",
      cost_eur: "0.00",
      width: 192,
      height: 128,
    });
  });

  it("refuses a model that does not scale images", async () => {
    const image = await upload(await photograph(96, 64));
    const response = await send("upscale", { model: "builtin-illustrator", image, factor: 2 });
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "model_not_capable",
      details: [{ path: "model", capability: "upscale" }],
    });
  });
});

describe("POST /v1/generate/remove-background", () => {
  const cutOut = { model: "builtin-cutout" };

  /** A red disc with a white centre in front of a background. */
  function disc(background: string): Promise<Buffer> {
    const svg = `<svg width="120" height="80"><defs><linearGradient id="even"><stop stop-color="#eee"/><stop offset="1" stop-color="#d4d8dc"/></linearGradient><pattern id="checked" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="#fff"/><rect width="4" height="8" fill="#36c"/></pattern></defs><rect width="120" height="80" fill="${background}"/><circle cx="60" cy="40" r="30" fill="#c03020"/><circle cx="60" cy="40" r="8" fill="#fff"/></svg>`;
    return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
  }

  it.each(["#ffffff", "url(#even)"])(
    "makes the background %s transparent, with soft edges, and keeps the subject",
    async (background) => {
      const body = { ...cutOut, image: await upload(await disc(background)) };
      const result = await make("remove-background", body);
      for (const format of ["png", "webp"] as const) {
        const { data, info } = await sharp(await download(result.formats?.[format]?.url))
          .raw()
          .toBuffer({ resolveWithObject: true });
        expect(info).toMatchObject({ width: 120, height: 80, channels: 4 });
        const alphaAt = (x: number, y: number) => data[(y * 120 + x) * 4 + 3] ?? -1;
        expect([alphaAt(0, 0), alphaAt(119, 79), alphaAt(20, 40)]).toEqual([0, 0, 0]);
        expect([alphaAt(60, 40), alphaAt(45, 40)]).toEqual([255, 255]);
        const row = Array.from({ length: 120 }, (_, x) => alphaAt(x, 22));
        expect(row.some((alpha) => alpha > 0 && alpha < 255)).toBe(true);
      }
      expect(result.formats?.jpeg?.flattened).toBe(true);
      expect(result.cost_eur).toBe(await quoted("remove-background", body));
      expect(await provenanceOf(result)).toMatchObject({
        digitalSourceType: expect.stringContaining("algorithmicallyEnhanced") as string,
        synthetic: null,
        actions: expect.arrayContaining(["c2pa.opened", "c2pa.edited"]) as string[],
      });
    },
  );

  it.each(["url(#checked)"])("refuses %s, and charges nothing", async (background) => {
    const before = await client.money();
    const image = await upload(await disc(background));
    const response = await send("remove-background", { ...cutOut, image });
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "model_not_capable",
      details: [{ path: "image", capability: "remove-background" }],
    });
    expect(await client.money()).toEqual(before);
  });
});

/** A black mask with a white rectangle. */
function mask(
  size: { readonly width: number; readonly height: number },
  hole: { readonly left: number; readonly top: number; readonly width: number },
): Promise<Buffer> {
  const { left, top, width } = hole;
  const shapes = `<svg width="${size.width}" height="${size.height}"><rect width="100%" height="100%"/><rect x="${left}" y="${top}" width="${width}" height="${width}" fill="#fff"/></svg>`;
  return sharp(Buffer.from(shapes)).removeAlpha().png().toBuffer();
}

/** Mean absolute difference of two pictures of the same size. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [before, after] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).removeAlpha().raw().toBuffer()),
  );
  const sum = before?.reduce((total, value, at) => total + Math.abs(value - (after?.[at] ?? 0)), 0);
  return (sum ?? 0) / (before?.length ?? 1);
}

describe("POST /v1/generate/vectorize", () => {
  const vectorize = { model: "builtin-tracer" };

  it("returns a signed SVG of the colours, and its drawing in the size of the image", async () => {
    const photo = await photograph(300, 200);
    const body = { ...vectorize, image: await upload(photo), colors: 2 };
    const result = await make("vectorize", body);
    const svg = (await download(result.formats?.svg?.url)).toString();
    expect([...new Set(svg.match(/fill="[^"]*"/g))].toSorted()).toEqual([
      'fill="#c03020"',
      'fill="#ffffff"',
    ]);
    expect(svg).not.toMatch(/<script|<image|<!--/);
    expect(result).toMatchObject({
      width: 300,
      height: 200,
      cost_eur: await quoted("vectorize", body),
    });
    expect(await difference(photo, await download(result.image_url))).toBeLessThan(6);
    for (const url of [result.image_url, result.formats?.svg?.url]) {
      const report = await verifyProvenance(await download(url), {
        trustAnchorsPem: stack.trustAnchorsPem,
      });
      expect(report).toMatchObject({
        state: "trusted",
        digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced",
        synthetic: null,
        actions: expect.arrayContaining(["c2pa.opened", "c2pa.converted"]) as string[],
        ingredients: [{ title: "edited image", relationship: "parentOf" }],
      });
    }
  });

  it("refuses more than 64 colours, and charges nothing", async () => {
    const before = await client.money();
    const image = await upload(await photograph(96, 64));
    const response = await send("vectorize", { ...vectorize, image, colors: 65 });
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({ details: [{ path: "colors" }] });
    expect(await client.money()).toEqual(before);
  });
});

describe("POST /v1/generate/erase", () => {
  const size = { width: 240, height: 160 };
  const hole = { left: 80, top: 40, width: 80 };

  it("fills the mask from its surroundings and keeps all other pixels", async () => {
    const [photo, masked] = [await photograph(240, 160), await mask(size, hole)];
    const body = {
      model: "builtin-illustrator",
      image: await upload(photo),
      mask: await upload(masked),
    };
    const result = await make("erase", body);
    const file = await download(result.image_url);
    expect(result).toMatchObject({ ...size, cost_eur: await quoted("erase", body) });
    // The white disc is gone.
    const red = await sharp({ create: { ...size, channels: 3, background: "#c03020" } })
      .png()
      .toBuffer();
    expect(await difference(file, red)).toBeLessThan(6);
    expect(await provenanceOf(result)).toMatchObject({
      state: "trusted",
      synthetic: "composite",
      actions: expect.arrayContaining(["c2pa.opened", "c2pa.edited"]) as string[],
      ingredients: [{ title: "edited image", relationship: "parentOf" }],
    });
    expect(await client.read(result.id)).toMatchObject({ operation: "erase", request: body });
  });

  it.each([
    ["another size", { width: 100, height: 100 }, hole, "wrong_size"],
    ["nothing to remove", size, { left: 0, top: 0, width: 0 }, "nothing_to_change"],
  ])("refuses a mask with %s, and charges nothing", async (_, of, white, reason) => {
    const before = await client.money();
    const image = await upload(await photograph(240, 160));
    const body = { model: "builtin-illustrator", image, mask: await upload(await mask(of, white)) };
    const response = await send("erase", body);
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "reference_invalid",
      details: [{ path: "mask", reason }],
    });
    expect(await client.money()).toEqual(before);
  });
});

describe("POST /v1/generate/outpaint", () => {
  const outpaint = { model: "builtin-illustrator" };

  it("adds the margins, keeps the image and charges what it quotes", async () => {
    const photo = await photograph(240, 160);
    const body = { ...outpaint, image: await upload(photo), left: 60, bottom: 40, seed: 3 };
    const request = { ...body, prompt: "a red barn in a meadow" };
    const result = await make("outpaint", request);
    const file = await download(result.image_url);
    expect(result).toMatchObject({ width: 300, height: 200, seed: 3 });
    expect(result.cost_eur).toBe(await quoted("outpaint", request));
    const kept = { left: 60, top: 0, width: 240, height: 160 };
    expect(await difference(await sharp(file).extract(kept).png().toBuffer(), photo)).toBeLessThan(
      4,
    );
    const plain = await download((await make("outpaint", body)).image_url);
    expect(await difference(file, plain)).toBeGreaterThan(5);
    expect(await provenanceOf(result)).toMatchObject({
      state: "trusted",
      synthetic: "composite",
      ingredients: [{ title: "edited image", relationship: "parentOf" }],
    });
  });

  it.each([
    [{}, 400, "invalid_request", "top"],
    [{ left: 0, right: 0 }, 400, "invalid_request", "top"],
    [{ left: -1 }, 400, "invalid_request", "left"],
    [{ right: 8_000, bottom: 8_000 }, 422, "unsupported_image_size", "right"],
    [{ left: 10, prompt: "a naked child" }, 451, "content_illegal", "prompt"],
  ])("refuses %j, and charges nothing", async (change, status, error, path) => {
    const before = await client.money();
    const image = await upload(await photograph(96, 64));
    const response = await send("outpaint", { ...outpaint, image, ...change });
    expect(response.status).toBe(status);
    expect(await readError(response)).toMatchObject({ error, details: [{ path }] });
    expect(await client.money()).toEqual(before);
  });
});

describe("what is known to be too large before it is made", () => {
  async function refusals(operation: string, request: object) {
    const idsOfJobs = async () => (await client.list()).jobs.map(({ id }) => id);
    const before = await idsOfJobs();
    const body = { operation, request };
    const answers = [
      await stack.request(client.account, "POST", "/v1/quotes", body),
      await send(operation, request),
    ];
    expect(await idsOfJobs()).toEqual(before);
    return Promise.all(answers.map(readError));
  }

  it.each([
    ["upscale", { model: "builtin-upscaler", factor: 4 }, "factor"],
    ["upscale", { model: "builtin-upscaler", width: 9_000, height: 6_000 }, "width"],
    ["outpaint", { model: "builtin-illustrator", right: 8_000, bottom: 8_000 }, "right"],
  ])("is refused in a quote and without a job: %s %j", async (operation, body, path) => {
    const image = await upload(await photograph(2_400, 1_600));
    const refusal = { error: "unsupported_image_size", details: [{ path }] };
    const answers = await refusals(operation, { ...body, image });
    expect(answers).toMatchObject([refusal, refusal]);
  });

  it.each(["edit", "vectorize"])(
    "is refused in a quote and without a job: the image of a job for %s",
    async (operation) => {
      const { id: job_id } = await make("image", { model: "fake-blind", prompt: "a house" });
      // As large as an upscaled image may be.
      await stack.database.query(
        `WITH large AS (
           UPDATE image SET width = 6000, height = 6000 FROM render
            WHERE render_id = render.id AND generation_id = $1)
         UPDATE generation SET result = NULL WHERE id = $1`,
        [job_id],
      );
      const body =
        operation === "edit"
          ? { model: "builtin-illustrator", prompt: "a red house", image_size: "1K" }
          : { model: "builtin-tracer" };
      const answers = await refusals(operation, { ...body, image: { job_id } });
      const refusal = {
        error: "reference_invalid",
        details: [{ path: "image", reason: "too_many_pixels" }],
      };
      expect(answers).toMatchObject([refusal, refusal]);
    },
  );
});

describe("POST /v1/generate/variations", () => {
  it("makes different images of consecutive seeds, at the price of one for each", async () => {
    const image = await upload(await photograph(240, 160));
    const one = { model: "builtin-illustrator", image, seed: 5 };
    const body = { ...one, n: 2, strength: 0.8 };
    const result = await make("variations", body);
    const files = await Promise.all(
      (result.images ?? []).map(({ image_url: url }) => download(url)),
    );
    expect(result.images?.map(({ seed }) => seed)).toEqual([5, 6]);
    expect(new Set(files.map((file) => file.toString("base64"))).size).toBe(2);
    expect(result.cost_eur).toBe(await quoted("variations", body));
    expect(Number(result.cost_eur)).toBeCloseTo(2 * Number(await quoted("variations", one)));
    expect(await provenanceOf(result)).toMatchObject({ state: "trusted", synthetic: "composite" });
  });

  it("refuses a model that only makes changes inside of masks", async () => {
    const image = await upload(await photograph(96, 64));
    const response = await send("variations", { model: "builtin-tracer", image });
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "model_not_capable",
      details: [{ capability: "variations" }],
    });
  });
});

describe("after of an image", () => {
  const drawn = { model: "builtin-illustrator", prompt: "a red house" };
  const image = { ...drawn, width: 512, height: 512 };

  it("scales the image up in the same job, for one charge of both prices", async () => {
    const before = await client.money();
    const body = { ...image, after: ["upscale:2"] };
    const plain = await quoted("image", image);
    const asked = { operation: "image", request: body };
    const response = await stack.request(client.account, "POST", "/v1/quotes", asked);
    const { price, price_eur } = quote.parse(await response.json());
    expect(price.after).toEqual([
      { model: "builtin-upscaler", operation: "upscale", eur_per_image: "0.01" },
    ]);
    expect(Number(price_eur)).toBeCloseTo(Number(plain) + 0.01);
    const result = await make("image", body);
    expect(result).toMatchObject({
      width: 1_024,
      height: 1_024,
      model: "builtin-illustrator",
      cost_eur: price_eur,
    });
    const after = await client.money();
    expect(after.held_eur).toBe(before.held_eur);
    expect(Number(before.balance_eur) - Number(after.balance_eur)).toBeCloseTo(Number(price_eur));
    expect(await client.read(result.id)).toMatchObject({
      operation: "image",
      request: { after: ["upscale:2"] },
    });
  });

  it("names every step in the manifest of the file, in its order", async () => {
    const flat = await sharp(await photograph(96, 64)).toBuffer();
    stack.provider.behave(() => ({ kind: "image", bytes: flat }));
    const body = {
      model: "fake-blind",
      prompt: "a disc in front of a wall",
      after: ["remove-background", "upscale:2.5"],
    };
    const result = await make("image", body);
    expect(result).toMatchObject({ width: 240, height: 160, cost_eur: "0.07" });
    const report = await provenanceOf(result);
    expect(report).toMatchObject({ state: "trusted", synthetic: "trained_model" });
    expect(report.actions.slice(0, 3)).toEqual(["c2pa.created", "c2pa.edited", "c2pa.resized"]);
    const { data, info } = await sharp(await download(result.image_url))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    expect([data[3], data[(80 * 240 + 120) * 4 + 3]]).toEqual([0, 255]);
  });

  it("charges nothing when a step fails, and calls the provider once", async () => {
    stack.provider.behave(() => ({ kind: "image" }));
    const before = await client.money();
    const calls = stack.provider.calls.length;
    const body = { ...drawn, model: "fake-blind", after: ["upscale:2", "remove-background"] };
    const response = await send("image", body);
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "model_not_capable",
      details: [{ path: "after.1", capability: "remove-background" }],
    });
    expect(await client.money()).toEqual(before);
    expect(stack.provider.calls).toHaveLength(calls + 1);
  });

  it.each([
    [["sharpen"], 400, "invalid_request", "after.0"],
    [["upscale:5"], 400, "invalid_request", "after.0"],
    [["upscale:2", "upscale:2"], 400, "invalid_request", "after"],
    [["upscale:2", "remove-background", "upscale:2"], 400, "invalid_request", "after"],
    [[], 400, "invalid_request", "after"],
    [["upscale:4"], 422, "unsupported_image_size", "after.0"],
    [["upscale:3", "remove-background"], 422, "unsupported_image_size", "after.1"],
  ])("refuses %j before a job exists", async (after, status, error, path) => {
    const { jobs } = await client.list();
    const response = await send("image", { ...drawn, image_size: "2K", after });
    expect(await readError(response)).toMatchObject({ error, details: [{ path }] });
    expect(response.status).toBe(status);
    expect((await client.list()).jobs).toHaveLength(jobs.length);
  });

  it("is drawn free of charge for a test key", async () => {
    const body = { name: "steps", mode: "test" };
    const key = await stack.request(client.account, "POST", "/v1/keys", body);
    const account = { ...client.account, key: mintedKey.parse(await key.json()).key };
    const request = { ...image, model: "another-vendors-model", after: ["upscale:2"] };
    const response = await stack.request(account, "POST", "/v1/generate/image", request);
    expect(await response.json()).toMatchObject({ cost_eur: "0.00", width: 1_024, height: 1_024 });
  });

  it("changes the result of an edit in the same job, and names both in the manifest", async () => {
    const { id: job_id } = await make("image", image);
    const edit = { ...image, prompt: "a red house at night", image: { job_id } };
    const body = { ...edit, after: ["upscale:2"] };
    const plain = await quoted("edit", edit);
    const before = await client.money();
    const price = await quoted("edit", body);
    expect(Number(price)).toBeCloseTo(Number(plain) + 0.01);
    const result = await make("edit", body);
    expect(result).toMatchObject({ width: 1_024, height: 1_024, cost_eur: price });
    const after = await client.money();
    expect(after.held_eur).toBe(before.held_eur);
    expect(Number(before.balance_eur) - Number(after.balance_eur)).toBeCloseTo(Number(price));
    const { actions, state } = await provenanceOf(result);
    expect(state).toBe("trusted");
    expect(actions.slice(0, 3)).toEqual(["c2pa.opened", "c2pa.edited", "c2pa.resized"]);
    expect(await client.read(result.id)).toMatchObject({
      operation: "edit",
      request: { after: ["upscale:2"] },
    });
  });

  it("changes each image of a scene in the same job", async () => {
    const scene = { ...image, n: 2 };
    const plain = await quoted("scene", scene);
    const body = { ...scene, after: ["upscale:2"] };
    const result = await make("scene", body);
    expect(Number(result.cost_eur)).toBeCloseTo(Number(plain) + 0.02);
    expect(result.images).toMatchObject([
      { width: 1_024, height: 1_024 },
      { width: 1_024, height: 1_024 },
    ]);
    const { actions } = await provenanceOf(result);
    expect(actions.slice(0, 2)).toEqual(["c2pa.created", "c2pa.resized"]);
    const needs = "SELECT DISTINCT needs FROM render WHERE generation_id = $1";
    expect(await stack.database.query(needs, [result.id])).toEqual([{ needs: 6 }]);
  });

  it("refuses a step that is too large for an edit, before a job exists", async () => {
    const { id: job_id } = await make("image", { ...drawn, image_size: "2K" });
    const { jobs } = await client.list();
    // In the size of the image, and in an exact size.
    for (const size of [{}, { width: 2_048, height: 2_048 }]) {
      const body = { ...drawn, image: { job_id }, ...size, after: ["upscale:4"] };
      const response = await send("edit", body);
      expect(await readError(response)).toMatchObject({
        error: "unsupported_image_size",
        details: [{ path: "after.0" }],
      });
    }
    expect((await client.list()).jobs).toHaveLength(jobs.length);
  });

  it("is left to workers that know it", async () => {
    const { id } = await make("image", { ...image, after: ["upscale:2"] });
    const needs = "SELECT needs FROM render WHERE generation_id = $1";
    expect(await stack.database.query(needs, [id])).toEqual([{ needs: 6 }]);
  });
});
