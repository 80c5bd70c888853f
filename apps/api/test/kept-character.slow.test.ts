import { writeFile } from "node:fs/promises";
import { keptCharacter, keptLocation, type Job } from "@atelier/schemas";
import { startStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createClient, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

/** `UPDATE_PICTURES=1` writes the pictures of docs/stories.md. */
const isUpdating = process.env["UPDATE_PICTURES"] === "1";

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await startStack({ postgresUrl: inject("postgresUrl") });
  client = await createClient(stack);
});

afterAll(() => stack.stop());

const ask = (method: string, path: string, body?: object) =>
  stack.request(client.account, method, path, body);

async function tell(story: object): Promise<Job> {
  const common = {
    model: "builtin-illustrator",
    style: "watercolour",
    aspect_ratio: "4:3",
    seed: 7,
  };
  const accepted = await ask("POST", "/v1/generate/story", { ...common, ...story });
  return client.untilFinal(accepted.headers.get("X-Service-Job-Id") ?? "");
}

async function bytesOf(url: string | undefined): Promise<Buffer> {
  const response = await fetch(url ?? "");
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** The pictures of the two scenes; they are written for the docs if that is wanted. */
async function picturesOf({ result }: Job, name: string): Promise<Buffer[]> {
  const scenes = result?.scenes ?? [];
  const pictures = await Promise.all(scenes.map(({ image_url: url }) => bytesOf(url)));
  if (!isUpdating) return pictures;
  for (const [index, picture] of pictures.entries()) {
    await write(picture, `${name}-story${index === 0 ? "" : "-rain"}`);
  }
  return pictures;
}

async function write(picture: Buffer, name: string): Promise<void> {
  const file = new URL(`../../../docs/images/character-${name}.webp`, import.meta.url);
  const resized = sharp(picture).resize(480, 360).webp({ quality: 80 });
  await writeFile(file, await resized.toBuffer());
}

const rain = [{ name: "Mira", state: "rain" }];

it("draws a kept character the same in a story after the images of the first one are gone", async () => {
  const first = await tell({
    setting: "a fishing village in autumn",
    characters: [
      {
        name: "Mira",
        description: "a girl with long red hair and a green coat",
        states: { rain: { description: "wearing a yellow raincoat" } },
      },
    ],
    locations: [{ name: "Harbour", description: "a harbour with a lighthouse" }],
    scenes: [
      { prompt: "Mira watches the boats", characters: ["Mira"], location: "Harbour" },
      { prompt: "Mira runs home in the rain", characters: rain },
    ],
  });
  expect(await picturesOf(first, "first")).toHaveLength(2);
  const portraits = first.result?.characters ?? [];
  const before = await Promise.all(portraits.map(({ reference_url: url }) => bytesOf(url)));
  const keep = async (kind: string, name: string) =>
    (await ask("POST", `/v1/${kind}`, { story_job_id: first.id, name })).json();
  const mira = keptCharacter.parse(await keep("characters", "Mira"));
  const harbour = keptLocation.parse(await keep("locations", "Harbour"));
  for (const path of [`characters/${mira.id}`, `locations/${harbour.id}`]) {
    await eventually(
      async () => (await (await ask("GET", `/v1/${path}`)).json()) as { readonly status: string },
      ({ status }) => status === "kept",
    );
  }
  expect((await ask("DELETE", `/v1/jobs/${first.id}/images`)).status).toBe(200);
  expect((await fetch(portraits[0]?.reference_url ?? "")).status).toBe(404);

  const later = await tell({
    characters: [{ character_id: mira.id }],
    locations: [{ location_id: harbour.id }],
    scenes: [
      {
        prompt: "Mira finds a small boat in the snow",
        characters: ["Mira"],
        location: "Harbour",
      },
      { prompt: "Mira waits in the rain at night", characters: rain, location: "Harbour" },
    ],
  });
  expect(later).toMatchObject({ status: "completed", cost_eur: "0.02" });
  expect(await picturesOf(later, "later")).toHaveLength(2);
  const references = later.result?.characters ?? [];
  const after = await Promise.all(references.map(({ reference_url: url }) => bytesOf(url)));
  expect(after.map((bytes, index) => bytes.equals(before[index] ?? Buffer.alloc(0)))).toEqual([
    true,
    true,
  ]);

  const image = await ask("POST", "/v1/generate/image", {
    model: "builtin-illustrator",
    prompt: "Mira stands in the rain by night, watercolour",
    characters: [{ character_id: mira.id, state: "rain" }],
    location: { location_id: harbour.id },
    aspect_ratio: "4:3",
    seed: 7,
  });
  expect(image.status).toBe(200);
  const { image_url } = (await image.json()) as { readonly image_url: string };
  const picture = await bytesOf(image_url);
  if (isUpdating) await write(picture, "image");
});
