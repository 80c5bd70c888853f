import { createHash } from "node:crypto";
import { verifyProvenance } from "@atelier/provenance/images";
import {
  generationResponse,
  quote,
  upload as uploadSchema,
  type GenerationResponse,
} from "@atelier/schemas";
import { shareStack, type Stack } from "@atelier/testing";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, readError, type Client } from "./support/client.ts";

const size = { width: 96, height: 64 };

let stack: Stack;
let client: Client;
/** The picture to work on, and a mask whose right half is white. */
let picture: Buffer;
let mask: Buffer;

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
  picture = await sharp({ create: { ...size, channels: 3, background: "#c03020" } })
    .png()
    .toBuffer();
  mask = await halfMask(size.width, size.height);
});

afterAll(() => stack?.stop());

async function halfMask(width: number, height: number): Promise<Buffer> {
  const white = await sharp({
    create: { width: width / 2, height, channels: 3, background: "#fff" },
  })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: "#000" } })
    .composite([{ input: white, left: width / 2, top: 0 }])
    .png()
    .toBuffer();
}

async function upload(bytes: Buffer, of = client): Promise<{ upload_id: string }> {
  const response = await fetch(`${stack.url}/v1/uploads`, {
    method: "POST",
    headers: { Authorization: `Bearer ${of.account.key}`, "Content-Type": "image/png" },
    body: new Uint8Array(bytes),
  });
  return { upload_id: uploadSchema.parse(await response.json()).id };
}

const send = (operation: string, body: object, of = client) =>
  stack.request(of.account, "POST", `/v1/generate/${operation}`, body);

async function made(operation: string, body: object, of = client): Promise<GenerationResponse> {
  const response = await send(operation, body, of);
  const answer: unknown = await response.json();
  expect({ status: response.status, answer }).toMatchObject({ status: 200 });
  return generationResponse.parse(answer);
}

async function download(url: string | undefined): Promise<Buffer> {
  return Buffer.from(await (await fetch(url ?? "")).arrayBuffer());
}

async function provenanceOf({ image_url }: GenerationResponse) {
  const { trustAnchorsPem } = stack;
  return verifyProvenance(await download(image_url), { trustAnchorsPem });
}

async function quoted(operation: string, request: object): Promise<string> {
  const body = { operation, request };
  const response = await stack.request(client.account, "POST", "/v1/quotes", body);
  expect(response.status).toBe(200);
  return quote.parse(await response.json()).price_eur;
}

/** Mean difference of the channels of two pictures in the columns from `left` to `right`. */
async function difference(one: Buffer, other: Buffer, left: number, right: number) {
  const area = { left, top: 0, width: right - left, height: size.height };
  const [a, b] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).removeAlpha().extract(area).raw().toBuffer()),
  );
  const sum = [...a!].reduce((total, value, index) => total + Math.abs(value - b![index]!), 0);
  return sum / a!.length;
}

describe("POST /v1/generate/edit", () => {
  const edit = { model: "builtin-illustrator", prompt: "a blue lake under a blue sky", seed: 7 };

  it("changes the masked area and keeps every pixel outside of it", async () => {
    const body = { ...edit, image: await upload(picture), mask: await upload(mask) };
    const result = await made("edit", body);
    const image = await download(result.image_url);
    expect(await sharp(image).metadata()).toMatchObject(size);
    // Six pixels away from the edge of the mask.
    expect(await difference(image, picture, 0, size.width / 2 - 6)).toBeLessThan(2);
    expect(await difference(image, picture, size.width / 2 + 6, size.width)).toBeGreaterThan(30);
    expect(result).toMatchObject({ seed: 7, ai_generated: true });
    expect(result.cost_eur).toBe(await quoted("edit", body));
    expect(await client.read(result.id)).toMatchObject({
      kind: "image",
      operation: "edit",
      status: "completed",
      request: { prompt: edit.prompt, image: body.image, mask: body.mask, n: 1 },
    });
  });

  it("reads the transparent pixels of a mask as what to change", async () => {
    const { data } = await sharp(mask)
      .toColourspace("b-w")
      .negate()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const transparent = await sharp({ create: { ...size, channels: 3, background: "#fff" } })
      .joinChannel(data, { raw: { ...size, channels: 1 } })
      .png()
      .toBuffer();
    const result = await made("edit", {
      ...edit,
      image: await upload(picture),
      mask: await upload(transparent),
    });
    const image = await download(result.image_url);
    expect(await difference(image, picture, 0, size.width / 2 - 6)).toBeLessThan(2);
    expect(await difference(image, picture, size.width / 2 + 6, size.width)).toBeGreaterThan(30);
  });

  it("makes several edits of an earlier image, in the shape of that image", async () => {
    const first = await made("image", { ...edit, aspect_ratio: "16:9" });
    const result = await made("edit", {
      ...edit,
      image: { job_id: first.id },
      n: 2,
      strength: 0.9,
    });
    expect(result.images?.map(({ seed }) => seed)).toEqual([7, 8]);
    expect(result.cost_eur).toBe("0.02");
    const { width, height } = await sharp(await download(result.image_url)).metadata();
    expect(width / height).toBeCloseTo(16 / 9, 1);
    const { state, actions, ingredients } = await provenanceOf(result);
    expect(state).toBe("trusted");
    expect(actions).toEqual(["c2pa.opened", "c2pa.edited"]);
    expect(ingredients).toEqual([
      { title: "edited image", relationship: "parentOf", hasManifest: true },
    ]);
  });

  for (const [options, change, pixels, cost] of [
    [{}, {}, { width: 1_254, height: 836 }, "0.01"],
    [{ tags: "full" }, { image_size: "2K" }, { width: 2_508, height: 1_672 }, "0.02"],
  ] as const) {
    it(
      `makes the pixels of the image size that it charges: ${JSON.stringify(change)}`,
      options,
      async () => {
        const body = { ...edit, image: await upload(picture), ...change };
        const result = await made("edit", body);
        expect(await sharp(await download(result.image_url)).metadata()).toMatchObject(pixels);
        expect(result.cost_eur).toBe(cost);
        expect(await quoted("edit", body)).toBe(cost);
      },
    );
  }

  // An edit of 2K takes a second of CPU time, so that of a job stands for all of them in the short lane.
  for (const { lane, kinds } of [
    { lane: {}, kinds: ["job"] },
    { lane: { tags: "full" }, kinds: ["upload", "job", "url"] },
  ] as const) {
    it(`takes the smallest size that holds the image of: ${kinds.join(", ")}`, lane, async () => {
      const first = await made("image", { ...edit, aspect_ratio: "3:2", image_size: "2K" });
      const pixels = { width: 2_512, height: 1_672 };
      const large = await sharp({ create: { ...pixels, channels: 3, background: "#ccc" } })
        .png()
        .toBuffer();
      const images = {
        upload: await upload(large),
        job: { job_id: first.id },
        url: { url: first.image_url },
      };
      for (const image of Object.values(images)) {
        expect(await quoted("edit", { ...edit, image })).toBe("0.02");
      }
      for (const kind of kinds) {
        const result = await made("edit", { ...edit, image: images[kind] });
        expect(result.cost_eur).toBe("0.02");
        expect(await sharp(await download(result.image_url)).metadata()).toMatchObject(pixels);
        expect(await client.read(result.id)).toMatchObject({ request: { image_size: "2K" } });
      }
    });
  }

  it("charges a masked edit by the size of the image, and refuses another image size", async () => {
    const pixels = { width: 1_800, height: 1_200 };
    const large = await sharp({ create: { ...pixels, channels: 3, background: "#ccc" } })
      .png()
      .toBuffer();
    const body = {
      ...edit,
      image: await upload(large),
      mask: await upload(await halfMask(pixels.width, pixels.height)),
    };
    for (const image_size of ["1K", "4K"]) {
      const response = await send("edit", { ...body, image_size });
      expect(response.status).toBe(422);
      expect(await readError(response)).toMatchObject({
        error: "unsupported_image_size",
        message: expect.stringContaining(`1800x1200 pixels of the image, which are 2K`) as string,
        details: [{ path: "image_size", supported: ["2K"] }],
      });
    }
    const result = await made("edit", body);
    expect(result.cost_eur).toBe("0.02");
    expect(await quoted("edit", { ...body, image_size: "2K" })).toBe("0.02");
    expect(await sharp(await download(result.image_url)).metadata()).toMatchObject(pixels);
  });

  it("leaves an edit without a mask to workers that make the pixels of its image size", async () => {
    const needsOf = async (body: object) => {
      const { id } = await made("edit", body);
      return stack.database.query("SELECT needs FROM render WHERE generation_id = $1", [id]);
    };
    const body = { ...edit, image: await upload(picture) };
    expect(await needsOf(body)).toEqual([{ needs: 1 }]);
    expect(await needsOf({ ...body, mask: await upload(mask) })).toEqual([{ needs: 0 }]);
  });

  it("quotes the default image size for a URL whose image is not known yet", async () => {
    const image = { url: "https://example.com/a.png" };
    expect(await quoted("edit", { ...edit, image })).toBe("0.01");
    expect(await quoted("edit", { ...edit, image, image_size: "4K", n: 2 })).toBe("0.08");
  });

  it("keeps the manifest of an upload in the manifest of its edit", async () => {
    const first = await made("image", { ...edit, width: 512, height: 512 });
    const signed = await download(first.image_url);
    const result = await made("edit", { ...edit, image: await upload(signed) });
    const { state, ingredients } = await provenanceOf(result);
    expect(state).toBe("trusted");
    expect(ingredients).toEqual([
      { title: "edited image", relationship: "parentOf", hasManifest: true },
    ]);
    // The labels of C2PA manifests (C2PA 2.4, 8.2).
    const labelsOf = (bytes: Buffer) =>
      new Set(bytes.toString("latin1").match(/urn:c2pa:[0-9a-f-]{36}/g));
    const [own = "none"] = labelsOf(signed);
    const labels = labelsOf(await download(result.image_url));
    expect(labels).toContain(own);
    expect(labels.size).toBe(2);
  });

  it("refuses a mask of another size, and charges nothing", async () => {
    const own = await createClient(stack);
    const body = {
      ...edit,
      image: await upload(picture, own),
      mask: await upload(await halfMask(32, 32), own),
    };
    const response = await send("edit", body, own);
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "reference_invalid",
      message: expect.stringContaining("32x32") as string,
      details: [{ path: "mask", reason: "wrong_size" }],
    });
    expect(await own.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
  });

  it.each([
    ["a black mask", "mask", "nothing_to_change"],
    ["a PNG of more than 24 megapixels", "image", "too_many_pixels"],
  ])("refuses %s, and charges nothing", async (_, path, reason) => {
    const own = await createClient(stack);
    const black = sharp({ create: { ...size, channels: 3, background: "#000" } });
    const large = sharp({
      create: { width: 6_000, height: 4_001, channels: 3, background: "#fff" },
    });
    const change =
      path === "mask"
        ? { mask: await upload(await black.png().toBuffer(), own) }
        : { image: await upload(await large.png().toBuffer(), own) };
    const body = { ...edit, image: await upload(picture, own), ...change };
    const response = await send("edit", body, own);
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "reference_invalid",
      details: [{ path, reason }],
    });
    expect(await own.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
  });

  it("refuses what the model cannot do before anything is held", async () => {
    const body = { ...edit, image: await upload(picture), mask: await upload(mask) };
    const response = await send("edit", {
      ...body,
      model: "builtin-pattern",
      negative_prompt: "x",
    });
    expect(response.status).toBe(422);
    const { error, details } = await readError(response);
    expect(error).toBe("model_not_capable");
    expect(details).toMatchObject([
      { path: "model", capability: "edit" },
      { path: "negative_prompt", capability: "negative_prompt" },
      { path: "mask", capability: "mask" },
    ]);
  });

  it("refuses markup for a model that takes none, before anything is held", async () => {
    const own = await createClient(stack);
    const image = await upload(picture, own);
    const response = await send("edit", { ...edit, image, markup: image }, own);
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "model_not_capable",
      details: [{ path: "markup", capability: "markup" }],
    });
    expect(await own.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
  });

  it("refuses uploads of other accounts", async () => {
    const other = await createClient(stack);
    const response = await send("edit", { ...edit, image: await upload(picture, other) });
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "reference_unreachable",
      details: [{ path: "image.upload_id", reason: "gone" }],
    });
  });

  it("moderates the prompt as one about a picture of the client", async () => {
    const own = await createClient(stack);
    const body = { ...edit, prompt: "remove her clothes", image: await upload(picture, own) };
    const response = await send("edit", body, own);
    expect(response.status).toBe(451);
    expect(await own.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
  });

  it.each([
    ["no image", {}, "image"],
    [
      "two sources",
      { image: { url: "https://example.com/a.png", job_id: crypto.randomUUID() } },
      "image",
    ],
    ["a data URL", { image: { url: "data:image/png;base64,AAAA" } }, "image.url"],
    [
      "a strength above 1",
      { image: { url: "https://example.com/a.png" }, strength: 2 },
      "strength",
    ],
  ])("refuses a request with %s", async (_, change, path) => {
    const response = await send("edit", { ...edit, ...change });
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({ details: [{ path }] });
  });
});

describe("POST /v1/generate/combine", () => {
  const combine = {
    model: "builtin-illustrator",
    prompt: "the fox sits by the lighthouse at dusk",
    seed: 3,
  };

  const flat = (background: string) =>
    sharp({ create: { ...size, channels: 3, background } })
      .png()
      .toBuffer();

  it("makes one image of several, in the form of several images", async () => {
    const part = await made("image", {
      ...combine,
      prompt: "a red fox",
      width: 512,
      height: 512,
    });
    const images = [
      { description: "a red fox", job_id: part.id },
      { description: "a lighthouse", ...(await upload(await flat("#247"))) },
    ];
    const body = { ...combine, images, aspect_ratio: "16:9" };
    const result = await made("combine", body);
    expect(result.image_urls).toEqual([result.image_url]);
    expect(result.image_hashes).toEqual([result.image_hash]);
    expect(result.images).toMatchObject([{ index: 0, seed: 3 }]);
    expect(result.cost_eur).toBe(await quoted("combine", body));
    const { state, actions, ingredients } = await provenanceOf(result);
    expect(state).toBe("trusted");
    expect(actions).toEqual(["c2pa.created", "c2pa.placed"]);
    const common = { title: "combined image", relationship: "componentOf" };
    expect(ingredients).toEqual([
      { ...common, hasManifest: true },
      { ...common, hasManifest: false },
    ]);
    const job = await client.read(result.id);
    expect(job).toMatchObject({ status: "completed", request: { images } });
    expect(job.result).toMatchObject({ image_hashes: [result.image_hash] });
  });

  it("shows the images themselves when their descriptions cannot be drawn", async () => {
    const colours = ["#c03020", "#2050c0"];
    const images = await Promise.all(
      colours.map(async (colour) => ({
        description: `qwxyz ${colour}`,
        ...(await upload(await flat(colour))),
      })),
    );
    const result = await made("combine", { ...combine, images, aspect_ratio: "16:9", n: 2 });
    expect(result.cost_eur).toBe("0.02");
    for (const { image_url } of result.images ?? []) {
      const shown = sharp(await download(image_url)).removeAlpha();
      const { data, info } = await shown.resize(20, 10).raw().toBuffer({ resolveWithObject: true });
      const colourAt = (x: number) => {
        const at = (5 * info.width + x) * info.channels;
        return [...data.subarray(at, at + 3)];
      };
      const distance = (one: number[], other: number[]) =>
        Math.max(...one.map((value, index) => Math.abs(value - other[index]!)));
      expect(distance(colourAt(4), [0xc0, 0x30, 0x20])).toBeLessThan(12);
      expect(distance(colourAt(15), [0x20, 0x50, 0xc0])).toBeLessThan(12);
    }
  });

  it("refuses more images than the model takes, and fewer than two", async () => {
    const one = { description: "a fox", url: "https://example.com/fox.png" };
    const few = await send("combine", { ...combine, images: [one] });
    expect(few.status).toBe(400);
    expect(await readError(few)).toMatchObject({ details: [{ path: "images" }] });
    const body = { ...combine, model: "builtin-pattern", images: [one, one] };
    const incapable = await send("combine", body);
    expect(incapable.status).toBe(422);
    expect(await readError(incapable)).toMatchObject({
      error: "model_not_capable",
      details: [{ capability: "combine" }, { path: "images", code: "references_not_supported" }],
    });
  });

  it("moderates the descriptions together with the prompt", async () => {
    const url = "https://example.com/person.png";
    const images = [
      { description: "my neighbour", url },
      { description: "a naked body", url },
    ];
    const response = await send("combine", { ...combine, prompt: "put her face on it", images });
    expect([422, 451]).toContain(response.status);
    expect((await readError(response)).error).toMatch(/^content_/);
  });
});

describe("POST /v1/generate/graphic", () => {
  const icon = { model: "builtin-graphic", prompt: "a rocket", kind: "icon", seed: 4 };

  it("draws with transparency, and as a signed SVG without scripts", async () => {
    const body = { ...icon, palette: ["#1F3A5F", "#e07a3f"] };
    const result = await made("graphic", body);
    expect(Object.keys(result.formats ?? {})).toEqual(["png", "jpeg", "webp", "svg"]);
    expect(result.formats?.jpeg?.flattened).toBe(true);
    const { png, svg, webp } = result.formats ?? {};
    for (const file of [png, webp]) {
      const { isOpaque } = await sharp(await download(file?.url)).stats();
      expect(isOpaque).toBe(false);
    }
    const response = await fetch(svg?.url ?? "");
    expect(response.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(response.headers.get("Content-Security-Policy")).toBe("default-src 'none'; sandbox");
    expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; .*\.svg"$/);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString()).toMatch(/^<svg [^>]*xmlns=/);
    expect(bytes.toString()).not.toMatch(/<script|javascript:|<foreignObject| on\w+=/i);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(svg?.hash);
    const { trustAnchorsPem } = stack;
    const report = await verifyProvenance(bytes, { trustAnchorsPem });
    expect(report).toMatchObject({ state: "trusted", actions: ["c2pa.created"] });
    expect(result.cost_eur).toBe(await quoted("graphic", body));
    expect(await client.read(result.id)).toMatchObject({
      request: { palette: ["#1f3a5f", "#e07a3f"], background: "transparent", kind: "icon" },
    });
  });

  it("has its SVG in archives, and loses it with its images", async () => {
    const { id, formats, thumbnail_url, images } = await made("graphic", { ...icon, n: 2 });
    const archive = await fetch(`${stack.url}/v1/jobs/${id}/archive`, {
      headers: { Authorization: `Bearer ${client.account.key}` },
    });
    const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    const names = ["image-1.png", "image-1.svg", "image-2.png", "image-2.svg"];
    expect(Object.keys(files)).toEqual(names);
    const drawings = (images ?? []).map((image) => image.formats?.svg);
    expect(
      ["image-1.svg", "image-2.svg"].map((name) =>
        createHash("sha256")
          .update(files[name] ?? "")
          .digest("hex"),
      ),
    ).toEqual(drawings.map((svg) => svg?.hash));
    const urls = [formats?.png?.url, thumbnail_url, ...drawings.map((svg) => svg?.url)];
    const statuses = () => Promise.all(urls.map(async (url) => (await fetch(url ?? "")).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    const removal = await stack.request(client.account, "DELETE", `/v1/jobs/${id}/images`);
    expect(removal.status).toBe(200);
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    const { result } = await client.read(id);
    expect(JSON.stringify(result)).not.toContain("http");
    expect(result?.image_hashes).toHaveLength(2);
  });

  it("draws the same for the same seed, on a background of any colour", async () => {
    const [one, same] = await Promise.all(
      [icon, { ...icon, n: 2 }].map((body) =>
        made("graphic", { ...body, prompt: "harmony", background: "#ffeecc" }),
      ),
    );
    const drawing = async (url: string | undefined) =>
      (await download(url)).toString().replace(/<metadata>.*<\/metadata>/s, "");
    const first = await drawing(one?.formats?.svg?.url);
    const [again, other] = await Promise.all(
      (same?.images ?? []).map(({ formats }) => drawing(formats?.svg?.url)),
    );
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    const drawn = await made("graphic", { ...icon, background: "#ffeecc" });
    const corner = sharp(await download(drawn.image_url)).extract({
      left: 2,
      top: 2,
      width: 1,
      height: 1,
    });
    expect([...(await corner.removeAlpha().raw().toBuffer())]).toEqual([0xff, 0xee, 0xcc]);
  });

  it.each([
    ["another kind", { kind: "poster" }, "kind"],
    ["a colour by name", { palette: ["red"] }, "palette.0"],
    ["nine colours", { palette: Array.from({ length: 9 }, () => "#000000") }, "palette"],
  ])("refuses a request with %s", async (_, change, path) => {
    const response = await send("graphic", { ...icon, ...change });
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({ details: [{ path }] });
  });

  it("refuses models of images", async () => {
    const response = await send("graphic", { ...icon, model: "builtin-illustrator" });
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "model_not_capable",
      details: [{ path: "model", capability: "graphic" }],
    });
  });
});

describe("POST /v1/generate/diagram", () => {
  const words = {
    model: "builtin-diagram",
    prompt: "user → API → queue; the queue feeds three workers",
  };

  it("lays out words as an image in the shape of the diagram, and as a signed SVG", async () => {
    const result = await made("diagram", words);
    const { width, height } = await sharp(await download(result.image_url)).metadata();
    expect(width).toBe(1024);
    expect(width).toBeGreaterThan(height * 1.5);
    const bytes = await download(result.formats?.svg?.url);
    const { trustAnchorsPem } = stack;
    expect(await verifyProvenance(bytes, { trustAnchorsPem })).toMatchObject({ state: "trusted" });
    expect(result.cost_eur).toBe(await quoted("diagram", words));
    expect(await client.read(result.id)).toMatchObject({
      status: "completed",
      request: { prompt: words.prompt, language: "text" },
    });
  });

  it.each([
    ["mermaid", "flowchart LR\n  A[Order] --> B{Paid?}\n  B -- yes --> C[Ship]"],
    ["dot", "digraph { order -> paid; paid -> ship [label=yes] }"],
    ["text", "order → paid → ship"],
  ])("draws the same from the same source in %s", async (language, source) => {
    const body = { model: words.model, source, language, direction: "down" };
    const [one, other] = await Promise.all([made("diagram", body), made("diagram", body)]);
    const pixels = async ({ image_url }: GenerationResponse) =>
      sharp(await download(image_url))
        .raw()
        .toBuffer();
    expect((await pixels(one)).equals(await pixels(other))).toBe(true);
    const { width, height } = await sharp(await download(one.image_url)).metadata();
    expect(height).toBeGreaterThan(width);
  });

  it.each([
    ["mermaid", "flowchart LR\n  A => B", 2, 5],
    ["dot", "digraph {\n a -> ;\n}", 2, 7],
  ])(
    "refuses a syntax error in %s with its line and column",
    async (language, source, line, column) => {
      const own = await createClient(stack);
      const response = await send("diagram", { model: words.model, source, language }, own);
      expect(response.status).toBe(422);
      expect(await readError(response)).toMatchObject({
        error: "diagram_invalid",
        message: expect.stringContaining(`line ${line}, column ${column} of source`) as string,
        details: [{ path: "source", line, column }],
      });
      expect(await own.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
    },
  );

  it(
    "charges the key and its account for a layout that takes too long",
    { tags: "full" },
    async () => {
      const own = await createClient(stack);
      const nodes = Array.from({ length: 28 }, (_, index) => index);
      const edges = nodes.flatMap((from) =>
        nodes.flatMap((to) => (from < to ? [`${from}--${to}`] : [])),
      );
      const source = `graph{splines=curved ${edges.join(" ")}}`;
      const response = await send("diagram", { model: words.model, source, language: "dot" }, own);
      expect(await readError(response)).toMatchObject({
        error: "diagram_invalid",
        message: expect.stringContaining("more than 3 seconds") as string,
      });
      const buckets = await stack.database.query<{ seconds: number }>(
        `SELECT extract(epoch FROM theoretical_arrival_at - now())::float8 AS seconds FROM rate_limit
        WHERE key IN ('generate' || ':' || $1, 'generate' || ':account:' || $2) ORDER BY 1`,
        [own.account.keyId, own.account.accountId],
      );
      expect(buckets).toHaveLength(2);
      expect(buckets[0]!.seconds).toBeGreaterThan(2);
      expect(buckets[1]!.seconds).toBeGreaterThan(12);
    },
  );

  it("moderates the source", async () => {
    const source = 'digraph { a [label="a severed head on a table"] }';
    const response = await send("diagram", { model: words.model, source, language: "dot" });
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "content_policy_violation",
      details: [{ path: "source" }],
    });
  });

  it.each([
    ["neither prompt nor source", {}, ""],
    ["both", { prompt: "a → b", source: "a → b" }, ""],
    ["a language for words", { prompt: "a → b", language: "dot" }, "language"],
  ])("refuses a request with %s", async (_, change, path) => {
    const response = await send("diagram", { model: words.model, ...change });
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({ details: [{ path }] });
  });
});

it("lists the jobs of an operation", async () => {
  const own = await createClient(stack);
  const image = { model: "builtin-pattern", prompt: "a wave" };
  const wave = await own.untilFinal(await own.accept(image));
  const diagram = { model: "builtin-diagram", prompt: "a → b" };
  const response = await send("diagram", diagram, own);
  const { id } = generationResponse.parse(await response.json());
  expect(wave).toMatchObject({ kind: "image", operation: "image" });
  const listed = async (query: string) =>
    (await own.list(query)).jobs.map((job) => [job.id, job.operation]);
  expect(await listed("?operation=diagram")).toEqual([[id, "diagram"]]);
  expect(await listed("?operation=image")).toEqual([[wave.id, "image"]]);
  expect(await listed("?operation=edit&kind=image")).toEqual([]);
  expect(await listed("?kind=image")).toHaveLength(2);
});
