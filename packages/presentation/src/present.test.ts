import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { FoundGeneration } from "@atelier/generations/jobs";
import { presentJob, presentJobs, summariseJob } from "./present.ts";

const createdAt = new Date("2026-11-22T12:00:00Z");

const size = { width: 1360, height: 768 };
const image = { sha256: "ab", sizeBytes: 1, ...size, flattened: false, deleted: false };

/** A completed story of one scene. */
function makeStory(id: string): FoundGeneration {
  return {
    id,
    kind: "story",
    operation: "story",
    status: "completed",
    mode: "live",
    model: "m",
    request: { characters: [{ name: "Mira" }] },
    prompt: "Mira by the sea",
    metadata: { order: "1" },
    source: null,
    seed: 7n,
    key: { id: "k", name: "shop" },
    title: "Mira by the sea",
    note: null,
    book: null,
    chargedMicroEur: 50_000n,
    balanceAfterMicroEur: 0n,
    error: null,
    scenesTotal: 1,
    scenesCompleted: 1,
    keep: null,
    rendersTotal: 1,
    rendersCompleted: 1,
    createdAt,
    startedAt: createdAt,
    completedAt: createdAt,
    suppliedReferences: [],
    renders: [
      {
        role: "scene",
        status: "done",
        model: "m",
        spec: { name: null, state: null, title: "The sea", seed: 7 },
        isWatermarked: true,
        images: [{ ...image, storageKey: `${id}.png`, format: "png" }],
      },
    ],
  };
}

const sign = (storageKey: string) =>
  Promise.resolve({ url: `https://images.example.com/${storageKey}`, expiresAt: createdAt });

describe("a page of jobs", () => {
  const stories = Array.from({ length: 20 }, (_, index) => makeStory(`story-${index}`));

  it("yields to other work between two jobs", async () => {
    const done = presentJobs(stories, sign).then(() => "done" as const);
    let turns = 0;
    while ((await Promise.race([done, setImmediate("turn" as const)])) === "turn") turns += 1;
    expect(turns).toBeGreaterThanOrEqual(stories.length - 1);
  });

  it("keeps its order", async () => {
    const jobs = await presentJobs(stories, sign);
    expect(jobs.map(({ id }) => id)).toEqual(stories.map(({ id }) => id));
    expect(jobs[3]?.result?.scenes?.[0]?.image_url).toBe("https://images.example.com/story-3.png");
  });
});

it("lists the states of a character in the client's order", async () => {
  const states = { disguise: { description: "a hat" }, old: { description: "grey hair" } };
  // JSONB sorts properties by length.
  const stored = { old: states.old, disguise: states.disguise };
  const mira = { name: "Mira", states: stored, state_order: Object.keys(states) };
  const story = { ...makeStory("s"), request: { characters: [mira] } };
  const [presented] = await presentJobs([story], sign);
  expect(presented?.result?.characters?.map(({ state }) => state)).toEqual([
    undefined,
    "disguise",
    "old",
  ]);
});

describe("the size in pixels", () => {
  it("is that of each file, of the image and of a generated or uploaded reference", async () => {
    const portrait = {
      ...makeStory("s").renders[0]!,
      role: "portrait" as const,
      spec: { name: "Mira", state: null, title: null, seed: 7 },
      images: [{ ...image, width: 768, height: 768, storageKey: "m.png", format: "png" as const }],
    };
    const uploadId = "019a9f3e-8d15-7a60-b3c4-2e7f1a9c5b08";
    const found = {
      uploadId,
      jobId: null,
      image: 0,
      portrait: null,
      state: null,
      location: null,
      characterId: null,
      locationId: null,
      storageKey: "u.png",
      width: 64,
      height: 48,
    };
    const story = {
      ...makeStory("s"),
      request: {
        characters: [{ name: "Mira" }],
        locations: [
          { name: "harbour", reference: { upload_id: uploadId } },
          { name: "beach", reference_url: "https://a.example/beach.png" },
        ],
      },
      renders: [portrait, ...makeStory("s").renders],
      suppliedReferences: [found],
    };
    const { result } = await presentJob(story, sign);
    expect(result?.scenes?.[0]).toMatchObject({ ...size, formats: { png: size } });
    expect(result?.characters?.[0]).toMatchObject({ width: 768, height: 768 });
    expect(result?.locations?.[0]).toMatchObject({ width: 64, height: 48 });
    expect(result?.locations?.[1]).not.toHaveProperty("width");
  });

  it("of a thumbnail is not that of its image", async () => {
    const render = {
      ...makeStory("i").renders[0]!,
      role: "image" as const,
      images: [
        { ...image, storageKey: "i.png", format: "png" as const },
        { ...image, width: 512, height: 289, storageKey: "t.webp", format: "thumbnail" as const },
      ],
    };
    const one = { ...makeStory("i"), kind: "image" as const, renders: [render] };
    const { result } = await presentJob(one, sign);
    expect(result).toMatchObject({ ...size, formats: { png: size } });
  });
});

describe("several images of a prompt", () => {
  const render = (seed: number, flattened = false) => ({
    role: "image" as const,
    status: "done" as const,
    model: "m",
    spec: { name: null, state: null, title: null, seed },
    isWatermarked: seed === 7,
    images: [
      { ...image, storageKey: `${seed}.png`, format: "png" as const },
      { ...image, storageKey: `${seed}.jpeg`, format: "jpeg" as const, flattened },
    ],
  });
  const several = {
    ...makeStory("several"),
    kind: "image" as const,
    operation: "image" as const,
    request: { prompt: "a fox", n: 2 },
    scenesTotal: null,
    scenesCompleted: null,
    renders: [render(7, true), render(8)],
  };

  it("are listed with their seeds; the first is also the image of the result", async () => {
    const { result } = await presentJob(several, sign);
    const urls = ["7.png", "8.png"].map((key) => `https://images.example.com/${key}`);
    expect(result).toMatchObject({
      seed: 7,
      image_url: urls[0],
      image_urls: urls,
      image_hashes: [image.sha256, image.sha256],
      images: [
        { index: 0, seed: 7, image_url: urls[0], image_hash: image.sha256 },
        { index: 1, seed: 8, image_url: urls[1], image_hash: image.sha256 },
      ],
    });
    expect(result?.layers).toEqual(["c2pa", "watermark", "registry"]);
    expect(result?.images?.map(({ layers }) => layers)).toEqual([
      ["c2pa", "watermark", "registry"],
      ["c2pa", "registry"],
    ]);
    expect(result?.formats?.jpeg?.flattened).toBe(true);
    expect(result?.formats?.png).not.toHaveProperty("flattened");
    expect(result?.images?.[1]?.formats?.jpeg).not.toHaveProperty("flattened");
  });

  it("are also the form of a single combination", async () => {
    const combination = { ...several, renders: [{ ...render(7), task: "combine" as const }] };
    const { result } = await presentJob(combination, sign);
    expect(result).toMatchObject({
      image_urls: [result?.image_url],
      image_hashes: [image.sha256],
      images: [{ index: 0, seed: 7 }],
    });
  });

  it("keep their hashes after their files were deleted", async () => {
    const renders = several.renders.map((one) => ({
      ...one,
      images: one.images.map((file) => ({ ...file, deleted: true })),
    }));
    const { result } = await presentJob({ ...several, renders }, sign);
    expect(result).not.toHaveProperty("image_urls");
    expect(result?.image_hashes).toHaveLength(2);
    expect(result?.images?.[0]).toEqual({
      index: 0,
      seed: 7,
      image_hash: image.sha256,
      ...size,
      layers: ["c2pa", "watermark", "registry"],
    });
  });
});

it("returns the request of a job without the queries of reference URLs", async () => {
  const request = {
    prompt: "a fox",
    reference_images: [{ description: "a den", url: "https://a.example/den.png?token=secret#x" }],
    characters: [
      {
        name: "Mira",
        reference_url: "https://a.example/mira.png?signature=secret",
        states: { url: { description: "?" } },
        state_order: ["url"],
      },
    ],
  };
  const job = await presentJob({ ...makeStory("s"), status: "processing", request }, sign);
  expect(job.request).toEqual({
    prompt: "a fox",
    reference_images: [{ description: "a den", url: "https://a.example/den.png" }],
    characters: [
      {
        name: "Mira",
        reference_url: "https://a.example/mira.png",
        states: { url: { description: "?" } },
      },
    ],
  });
});

describe("the summary of a job", () => {
  it("has the title of a story, and no result", () => {
    expect(summariseJob(makeStory("s"))).toEqual({
      id: "s",
      kind: "story",
      operation: "story",
      status: "completed",
      mode: "live",
      model: "m",
      key: { id: "k", name: "shop" },
      metadata: { order: "1" },
      prompt: "Mira by the sea",
      source: null,
      seed: 7,
      title: "Mira by the sea",
      starred: false,
      created_at: "2026-11-22T12:00:00.000Z",
      started_at: "2026-11-22T12:00:00.000Z",
      completed_at: "2026-11-22T12:00:00.000Z",
      cost_eur: "0.05",
      scenes_total: 1,
      scenes_completed: 1,
      renders_total: 1,
      keep: null,
      renders_completed: 1,
      error: null,
    });
  });

  it("has what the account noted, also without a title of its own", () => {
    const story = { ...makeStory("s"), note: { title: "Fox", starred: true } };
    expect(summariseJob(story)).toMatchObject({ title: "Fox", starred: true });
    const starred = { ...makeStory("s"), note: { title: null, starred: true } };
    expect(summariseJob(starred)).toMatchObject({ title: "Mira by the sea", starred: true });
  });
});
