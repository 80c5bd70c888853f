import {
  isScaledToEdit,
  operations,
  quote,
  scaleToEdit,
  upload as uploadSchema,
  type Operation,
  type PixelSize,
  type UploadResponse,
} from "@atelier/schemas";
import { startStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createClient, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { imagesOf, requestOf, withImage } from "./support/operation-requests.ts";

/** The result of each operation on a photograph. */
const outcomes: Record<Operation, "its picture" | "its shape" | "another" | "refused" | "none"> = {
  image: "another",
  story: "another",
  scene: "another",
  edit: "its shape",
  combine: "another",
  graphic: "none",
  diagram: "none",
  // Twice the edges of 12 megapixels are more than 40.
  upscale: "refused",
  "remove-background": "its shape",
  outpaint: "its picture",
  erase: "its picture",
  vectorize: "its picture",
  variations: "its shape",
};

const megapixels = {
  12: { width: 3_000, height: 4_000 },
  24: { width: 4_000, height: 6_000 },
  48: { width: 6_048, height: 8_064 },
} as const;

/** Photographs as cameras and phones write them, with the turn that their orientation says. */
const photographs = [
  { name: "12 MP JPEG", format: "jpeg", size: megapixels[12], orientation: 6, turn: -90 },
  { name: "24 MP JPEG", format: "jpeg", size: megapixels[24], orientation: 8, turn: 90 },
  { name: "48 MP JPEG", format: "jpeg", size: megapixels[48], orientation: 3, turn: 180 },
  { name: "24 MP AVIF", format: "avif", size: megapixels[24], orientation: 6, turn: -90 },
] as const;
type Photograph = (typeof photographs)[number];

/** The colours of the background and of a block in the lower half, as they are shown. */
const [upper, lower] = [
  { r: 208, g: 32, b: 16 },
  { r: 16, g: 32, b: 208 },
];

/** Requests that make less than those of `requestOf`. */
const shortRequests: Partial<Record<Operation, object>> = {
  edit: { model: "builtin-illustrator", prompt: "a red boat", image_size: "1K" },
};

let stack: Stack;
let client: Client;
const uploads = new Map<Photograph, UploadResponse>();
const masks = new Map<PixelSize, UploadResponse>();
/** CPU seconds of a render, by operation and photograph. */
const cpuSeconds = new Map<string, Map<string, number>>();

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      WORKER_LANES: "builtin,fake-blind",
      GENERATIONS_PER_MINUTE: "100000",
      // A photograph takes minutes beside other programs.
      MAX_WAIT_SECONDS: "280",
    },
  });
  client = await createClient(stack, "100");
  for (const photograph of photographs)
    uploads.set(photograph, await upload(await take(photograph)));
  for (const size of Object.values(megapixels)) masks.set(size, await upload(await makeMask(size)));
}, 600_000);

afterAll(async () => {
  const names = photographs.map(({ name }) => name);
  const rows = [...cpuSeconds].map(([operation, seconds]) =>
    [operation, ...names.map((name) => seconds.get(name)?.toFixed(1) ?? "refused")].join(" | "),
  );
  const head = `| operation | ${names.join(" | ")} |\n| --- |${names.map(() => " --: |").join("")}`;
  process.stdout.write(`${head}\n${rows.map((row) => `| ${row} |`).join("\n")}\n`);
  await stack?.stop();
});

/** A grainy picture, stored turned, in the colours of a P3 display. Its grains are squares of 4 pixels. */
async function take({ format, size, orientation, turn }: Photograph): Promise<Buffer> {
  const [width, height] = [size.width / 4, size.height / 4];
  const pixels = Buffer.alloc(width * height * 3);
  for (let place = 0; place < width * height; place++) {
    const [x, y] = [place % width, Math.floor(place / width)];
    const isBlock = x >= width / 4 && x < width * 0.75 && y >= height / 2 && y < height * 0.875;
    const { r, g, b } = isBlock ? lower : upper;
    const grain = ((place * 2_654_435_761) % 9) - 4;
    pixels.set([r + grain, g + grain, b + grain], place * 3);
  }
  const stored = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .rotate(turn)
    .png({ compressionLevel: 1 })
    .toBuffer();
  const isSideways = turn !== 180;
  return sharp(stored)
    .resize(isSideways ? size.height : size.width, isSideways ? size.width : size.height, {
      kernel: "nearest",
    })
    .withMetadata({ orientation })
    .withIccProfile("p3")
    .toFormat(format, { quality: 85, ...(format === "avif" && { effort: 0 }) })
    .toBuffer();
}

/** Marks a corner. */
function makeMask({ width, height }: PixelSize): Promise<Buffer> {
  const white = { width: 200, height: 200, channels: 3, background: "#fff" } as const;
  return sharp({ create: { width, height, channels: 3, background: "#000" } })
    .composite([{ input: { create: white }, left: 0, top: 0 }])
    .jpeg()
    .toBuffer();
}

async function upload(bytes: Buffer): Promise<UploadResponse> {
  const response = await fetch(`${stack.url}/v1/uploads`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${client.account.key}`,
      "Content-Type": "application/octet-stream",
    },
    body: new Uint8Array(bytes),
  });
  const body: unknown = await response.json();
  expect({ status: response.status, body }).toMatchObject({ status: 201 });
  return uploadSchema.parse(body);
}

/** The CPU time of a render of a job, as its worker logs it after the render is done. */
async function cpuSecondsOf(jobId: string): Promise<number> {
  const read = async () => {
    const lines = (await stack.workers[0]?.log())?.split("\n") ?? [];
    const done = lines.find((line) => line.includes(jobId) && line.includes('"cpuMs"')) ?? "{}";
    return (JSON.parse(done) as { cpuMs?: number }).cpuMs;
  };
  return ((await eventually(read, (cpuMs) => cpuMs !== undefined)) ?? 0) / 1_000;
}

const withPhotographs = (Object.keys(operations) as Operation[]).filter(
  (operation) => imagesOf(operation).length > 0,
);

it("no operation that takes an image is left out", { tags: "full" }, () => {
  const tested = withPhotographs.filter((operation) => outcomes[operation] === "none");
  expect(tested).toEqual([]);
});

const cases = withPhotographs
  .filter((operation) => outcomes[operation] !== "none")
  .flatMap((operation) => photographs.map((photograph) => ({ operation, photograph })));

describe("a photograph is upright and has its colours, and scaled_from as documented, in", () => {
  it.each(cases)(
    "$operation: $photograph.name",
    { timeout: 300_000, tags: "full" },
    async (one) => {
      const { operation, photograph } = one;
      const { size, name } = photograph;
      const outcome = outcomes[operation];
      const source = { upload_id: uploads.get(photograph)?.id };
      expect(uploads.get(photograph)).toMatchObject(size);
      const mask = { upload_id: masks.get(size)?.id };
      const [place = ""] = imagesOf(operation).filter((path) => !path.endsWith("reference_url"));
      const example = withImage(
        shortRequests[operation] ?? requestOf(operation, source),
        place,
        source,
      );
      const request = {
        ...example,
        ...("mask" in example && { mask }),
        ...("n" in example && { n: 1 }),
      };
      const quoted = await stack.request(client.account, "POST", "/v1/quotes", {
        operation,
        request,
      });
      const path = `/v1/generate/${operation}`;
      const response = await stack.request(client.account, "POST", path, request);
      if (outcome === "refused") {
        const { error } = await readError(response);
        expect(error).toBe(isScaledToEdit(size) ? "reference_invalid" : "unsupported_image_size");
        expect(await readError(quoted)).toMatchObject({ error });
        expect([response.status, quoted.status]).toEqual([422, 422]);
        return;
      }
      const answer: unknown = await response.json();
      expect({ status: response.status, answer }).toMatchObject({
        status: operation === "story" ? 202 : 200,
      });
      const jobId = response.headers.get("X-Service-Job-Id") ?? "";
      const { status, result } = await client.untilFinal(jobId);
      expect(status).toBe("completed");
      const isScaled = outcome !== "another" && isScaledToEdit(size);
      const { scaled_from } = quote.parse(await quoted.json());
      expect([scaled_from, result?.scaled_from]).toEqual(
        isScaled ? [size, size] : [undefined, undefined],
      );
      const seconds = cpuSeconds.get(operation) ?? new Map<string, number>();
      cpuSeconds.set(operation, seconds.set(name, await cpuSecondsOf(jobId)));
      if (outcome === "another") return;
      const { image_url: url = "" } = answer as { image_url?: string };
      const picture = sharp(Buffer.from(await (await fetch(url)).arrayBuffer()));
      const { width, height } = await picture.metadata();
      const used = scaleToEdit(size);
      if (operation === "erase" || operation === "remove-background") {
        expect({ width, height }).toEqual(used);
      }
      if (operation !== "outpaint") expect(width / height).toBeCloseTo(used.width / used.height, 1);
      if (outcome === "its shape") return;
      for (const [top, { r, g, b }] of [
        [Math.round(height * 0.2), upper],
        [Math.round(height * 0.7), lower],
      ] as const) {
        const area = { left: Math.round(width / 2), top, width: 100, height: 100 };
        const part = await picture.clone().extract(area).removeAlpha().toBuffer();
        const { channels } = await sharp(part).stats();
        const wrong = [r, g, b].map((value, index) =>
          Math.abs((channels[index]?.mean ?? 0) - value),
        );
        expect(Math.max(...wrong)).toBeLessThan(16);
      }
    },
  );
});
