import {
  batch,
  batchResult,
  jobAccepted,
  operations,
  upload as uploadSchema,
  type Operation,
} from "@atelier/schemas";
import { shareStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { imagesOf, requestOf, story, withImage } from "./support/operation-requests.ts";

let stack: Stack;
let client: Client;
let picture: Buffer;
/** An upload that can be used. */
let good: { readonly upload_id: string };

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
  const blue = { create: { width: 48, height: 32, channels: 3, background: "#1020c0" } } as const;
  picture = await sharp({ create: { width: 96, height: 64, channels: 3, background: "#c03020" } })
    .composite([{ input: blue, left: 24, top: 16 }])
    .removeAlpha()
    .png()
    .toBuffer();
  good = await upload(picture);
});

afterAll(() => stack?.stop());

async function upload(bytes: Buffer): Promise<{ upload_id: string }> {
  const response = await fetch(`${stack.url}/v1/uploads`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.account.key}`, "Content-Type": "image/png" },
    body: new Uint8Array(bytes),
  });
  return { upload_id: uploadSchema.parse(await response.json()).id };
}

/** A job that does not exist. */
const missing = { job_id: "019a9f3c-5f0e-7c31-9b7d-00000000dead" };

/** No model of the tests takes markup. */
const untested = "markup";

const places = (Object.keys(operations) as Operation[]).flatMap((operation) =>
  imagesOf(operation).flatMap((path) => (path === untested ? [] : [[operation, path] as const])),
);

it("finds the images of all operations", () => {
  expect(places.map((place) => place.join(" "))).toEqual(
    expect.arrayContaining([
      "image reference_images.0",
      "story characters.0.states.key.reference",
      "story locations.0.reference_url",
      "scene location.reference",
      "edit mask",
      "combine images.0",
      "erase mask",
    ]),
  );
});

describe("an image that cannot be used is refused before anything is held, also in quotes:", () => {
  it.each(places)("%s %s", async (operation, path) => {
    const request = withImage(requestOf(operation, good), path, missing);
    const quote = await stack.request(client.account, "POST", "/v1/quotes", { operation, request });
    const response = await stack.request(
      client.account,
      "POST",
      `/v1/generate/${operation}`,
      request,
    );
    for (const refused of [quote, response]) {
      const { error, details } = await readError(refused);
      expect({ status: refused.status, error, details }).toMatchObject({
        status: 422,
        error: "reference_unreachable",
        details: [{ path: expect.stringContaining(path) as string }],
      });
    }
    expect((await client.money()).held_eur).toBe("0.00");
  });
});

describe("an image in base64 is", () => {
  const named = places.filter(([, path]) => !path.endsWith("reference_url"));
  const inBase64 = () => ({ base64: picture.toString("base64") });

  it.each(named)("taken, and shown as an upload, in %s %s", async (operation, path) => {
    const body = withImage(requestOf(operation, good), path, inBase64());
    const response = await stack.request(client.account, "POST", `/v1/generate/${operation}`, body);
    const answer = (await response.json()) as { id?: string; job_id?: string };
    expect({ status: response.status, answer }).toMatchObject({
      status: operation === "story" ? 202 : 200,
    });
    const { request } = await client.read(answer.job_id ?? answer.id ?? "");
    expect(JSON.stringify(request)).toContain("upload_id");
    expect(JSON.stringify(request)).not.toContain("base64");
  });

  it.each(named)("refused in a quote for %s %s", async (operation, path) => {
    const request = withImage(requestOf(operation, good), path, inBase64());
    const quote = await stack.request(client.account, "POST", "/v1/quotes", { operation, request });
    expect(quote.status).toBe(400);
    expect(await readError(quote)).toMatchObject({
      error: "invalid_request",
      message: expect.stringContaining("POST /v1/uploads") as string,
      details: [{ path: `${path}.base64` }],
    });
  });
});

describe("a story that lists more than its scenes show", () => {
  const accept = async (body: object) => {
    const response = await stack.request(client.account, "POST", "/v1/generate/story", body);
    return jobAccepted.parse(await response.json()).job_id;
  };

  it("says so in the warnings of its result, and sends no unused image to the model", async () => {
    const [otto, mira] = story.characters;
    const [pier, beach] = story.locations;
    const from = stack.provider.calls.length;
    const jobId = await accept({
      ...story,
      characters: [{ ...otto, states: {}, reference: good }, mira],
      locations: [{ ...pier, reference: good }, beach],
    });
    const { result, cost_eur } = await client.untilFinal(jobId);
    expect(result?.warnings).toEqual([
      'No scene names these characters: "Otto".',
      'No scene names these states: "ball" of "Mira".',
      'No scene names these locations: "Pier".',
      "No image was made with these references, which were only checked: characters.0.reference.upload_id, locations.0.reference.upload_id.",
    ]);
    // A portrait, two states, a location and two scenes.
    expect(cost_eur).toBe("0.30");
    const calls = stack.provider.calls.slice(from).map(({ references }) => references);
    expect(calls.toSorted((a, b) => a - b)).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it("fails without a charge when a worker cannot decode an unused image", async () => {
    const damaged = await upload(picture.subarray(0, -40));
    const { error, cost_eur } = await client.untilFinal(
      await accept(withReference(story, damaged)),
    );
    expect({ cost_eur, error }).toMatchObject({
      cost_eur: "0.00",
      error: {
        error: "reference_invalid",
        details: [{ path: "characters.0.reference.upload_id" }],
      },
    });
  });

  it("fails only its line of a batch when an unused image does not exist", async () => {
    const requests = [
      { operation: "story", body: withReference(story, missing) },
      { operation: "image", body: image },
    ];
    const response = await stack.request(client.account, "POST", "/v1/batches", { requests });
    const { id } = batch.parse(await response.json());
    const { counts } = await eventually(
      async () =>
        batch.parse(await (await stack.request(client.account, "GET", `/v1/batches/${id}`)).json()),
      ({ completed_at }) => completed_at !== null,
    );
    expect(counts).toMatchObject({ completed: 1, failed: 1 });
    const results = await stack.request(client.account, "GET", `/v1/batches/${id}/results`);
    const [line = ""] = (await results.text()).split("\n");
    expect(batchResult.parse(JSON.parse(line)).error).toMatchObject({
      error: "reference_unreachable",
      details: [{ path: "characters.0.reference.job_id" }],
    });
  });

  it("has no warnings when its scenes show everything", async () => {
    const [, mira] = story.characters;
    const [, beach] = story.locations;
    const jobId = await accept({
      ...story,
      characters: [{ ...mira, states: { rain: { description: "in a raincoat" } } }],
      locations: [beach],
    });
    expect((await client.untilFinal(jobId)).result).not.toHaveProperty("warnings");
  });
});

function withReference(
  { characters: [first, ...others], ...rest }: typeof story,
  reference: object,
) {
  return { ...rest, characters: [{ ...first, reference }, ...others] };
}
