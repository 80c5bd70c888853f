import { createHash } from "node:crypto";
import { job, jobAccepted, type GenerationResponse, type Job } from "@atelier/schemas";
import { describeStacks, type Stack, type TestAccount } from "@atelier/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { holdCalls } from "./support/hold-calls.ts";

const story = {
  model: "fake-blind",
  prompt: "A short tale of a lost kite",
  style: "watercolour",
  characters: [
    {
      name: "Mira",
      description: "a girl with long red hair and a green coat",
      states: { rain: { description: "wearing a yellow raincoat" } },
    },
    {
      name: "Otto",
      description: "an old man with a white beard",
      reference_url: "https://example.com/otto.png",
    },
  ],
  locations: [{ name: "Beach", description: "a wide beach with dunes" }],
  scenes: [
    { prompt: "Mira finds a kite", characters: [{ name: "Mira" }], location: "Beach" },
    {
      prompt: "The rain begins over the sea",
      characters: [{ name: "Mira", state: "rain" }],
      aspect_ratio: "16:9",
    },
  ],
};

/** The story without external images, for which a test has no server. */
const ownStory = {
  ...story,
  characters: story.characters.map(({ name, description, states }) => ({
    name,
    description,
    ...(states === undefined ? {} : { states }),
  })),
};

describeStacks("POST /v1/generate/story", { workers: 2 }, (stackOf) => {
  let stack: Stack;
  let account: TestAccount;

  beforeAll(async () => {
    stack = stackOf();
    account = await stack.createAccount();
  });

  const post = (body: unknown, of = account, path = "/v1/generate/story") =>
    stack.request(of, "POST", path, body);

  async function accept(body: unknown, of = account): Promise<string> {
    const response = await post(body, of);
    expect(response.status).toBe(202);
    return jobAccepted.parse(await response.json()).job_id;
  }

  async function read(jobId: string, of = account): Promise<Job> {
    const response = await stack.request(of, "GET", `/v1/jobs/${jobId}`);
    return job.parse(await response.json());
  }

  /** Polls a job as a client would, and passes every observed state to `see`. */
  async function untilFinal(
    jobId: string,
    of = account,
    see: (state: Job) => void = () => undefined,
  ): Promise<Job> {
    for (;;) {
      const state = await read(jobId, of);
      see(state);
      if (!["pending", "processing"].includes(state.status)) return state;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it("returns 202 at once, and later every field of the specification", async () => {
    const response = await post(ownStory);
    expect(response.status).toBe(202);
    const accepted = jobAccepted.parse(await response.json());
    expect(response.headers.get("Location")).toBe(accepted.poll_url);
    expect(response.headers.get("X-Service-Job-Id")).toBe(accepted.job_id);

    const progress: number[] = [];
    const done = await untilFinal(accepted.job_id, account, ({ scenes_completed }) =>
      progress.push(scenes_completed ?? -1),
    );
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    // Two portraits, a state, a location and two scenes at 0.05 EUR each.
    expect(done).toMatchObject({
      kind: "story",
      status: "completed",
      cost_eur: "0.30",
      scenes_total: 2,
      scenes_completed: 2,
    });
    const result = done.result as GenerationResponse;
    expect(result).not.toHaveProperty("image_url");
    expect(result.title).toMatch(/\S/);
    expect(result.scenes?.map(({ scene }) => scene)).toEqual([1, 2]);
    expect(result.image_hashes).toEqual(result.scenes?.map(({ image_hash }) => image_hash));
    expect(result.image_urls).toEqual(result.scenes?.map(({ image_url }) => image_url));
    for (const scene of result.scenes ?? []) {
      expect(scene.title).toMatch(/\S/);
      const bytes = Buffer.from(await (await fetch(scene.image_url ?? "")).arrayBuffer());
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(scene.image_hash);
      expect(Object.keys(scene.formats ?? {})).toEqual(["png", "jpeg", "webp"]);
    }
    expect(result.characters?.map(({ name, state }) => [name, state])).toEqual([
      ["Mira", undefined],
      ["Mira", "rain"],
      ["Otto", undefined],
    ]);
    expect(result.locations?.map(({ name }) => name)).toEqual(["Beach"]);
    for (const { reference_url, expires_at } of [
      ...(result.characters ?? []),
      ...(result.locations ?? []),
    ]) {
      expect((await fetch(reference_url ?? "")).status).toBe(200);
      expect(Date.parse(expires_at ?? "")).toBeGreaterThan(Date.now());
    }
  });

  it("keeps the client's references, without an expiry", async () => {
    const finished = await untilFinal(await accept(ownStory));
    const url = finished.result?.characters?.[0]?.reference_url;
    const [mira, otto] = ownStory.characters;
    const jobId = await accept({
      ...ownStory,
      characters: [{ ...mira, reference_url: url }, otto],
    });
    const done = await untilFinal(jobId);
    expect(done).toMatchObject({ status: "completed", cost_eur: "0.25" });
    expect(done.result?.characters?.[0]).toEqual({
      name: "Mira",
      reference_url: url,
      expires_at: null,
    });
  });

  it("makes references first, then scenes in order, each with the right references", async () => {
    const from = stack.provider.calls.length;
    await untilFinal(await accept(ownStory));
    const calls = stack.provider.calls.slice(from);
    const indexOf = (words: string) => calls.findIndex(({ prompt }) => prompt.includes(words));
    const first = indexOf("Mira finds a kite");
    const second = indexOf("The rain begins");
    expect(first).toBeLessThan(second);
    // The portrait and the beach; then the portrait in the rain and the previous scene.
    expect(calls[first]?.references).toBe(2);
    expect(calls[second]?.references).toBe(2);
    for (const { prompt } of calls) expect(prompt).toContain("watercolour");
  });

  it("refuses a text of a scene at once, and stores and holds nothing", async () => {
    const other = await stack.createAccount();
    const [firstScene] = story.scenes;
    const scenes = [firstScene, { prompt: "a naked woman posing seductively" }];
    const response = await post({ ...ownStory, scenes }, other);
    expect(response.status).toBe(422);
    expect(response.headers.has("X-Service-Job-Id")).toBe(false);
    expect(await response.json()).toMatchObject({
      error: "content_policy_violation",
      details: [{ path: "scenes.1.prompt", certainty: "certain" }],
    });
    const jobs = await stack.request(other, "GET", "/v1/jobs");
    expect(await jobs.json()).toMatchObject({ jobs: [] });
    const balance = await stack.request(other, "GET", "/v1/account");
    expect(await balance.json()).toMatchObject({ balance_eur: "10.00", held_eur: "0.00" });
  });

  it("quotes the words of an uncertain match where no remote model decides it", async () => {
    const [firstScene] = story.scenes;
    const scenes = [firstScene, { prompt: "a nuude child on a beach" }];
    const response = await post({ ...ownStory, scenes });
    expect(response.status).toBe(422);
    const path = "scenes.1.prompt";
    expect(await response.json()).toMatchObject({
      error: "content_policy_violation",
      message: expect.stringMatching(/^The words "nuude" \(read as "\w+"\) .* text at scenes\.1/),
      details: [
        { path, category: "sexual_minors", certainty: "uncertain", quoted: [{ written: "nuude" }] },
      ],
    });
  });

  it("does not treat generated portraits as client photographs", async () => {
    const [firstScene] = story.scenes;
    const scenes = [firstScene, { prompt: "Otto takes off his shirt and jumps into the lake" }];
    expect(await untilFinal(await accept({ ...ownStory, scenes }))).toMatchObject({
      status: "completed",
    });
  });

  it("is refused when it undresses a person in a client's photograph", async () => {
    const finished = await untilFinal(await accept(ownStory));
    const [mira, otto] = ownStory.characters;
    const photograph = finished.result?.characters?.[0]?.reference_url;
    const response = await post({
      ...ownStory,
      strictness: "liberal",
      characters: [{ ...mira, description: "a woman", reference_url: photograph }, otto],
      scenes: [story.scenes[0], { prompt: "Otto undresses by the window" }],
    });
    expect(response.status).toBe(451);
    expect(await response.json()).toMatchObject({
      error: "content_illegal",
      details: [{ category: "real_person_sexual", path: "scenes.1.prompt" }],
    });
  });

  it("fails as a whole when a scene fails permanently, and charges nothing", async () => {
    const other = await stack.createAccount();
    stack.provider.behave(({ prompt }) =>
      prompt.includes("The rain begins")
        ? { kind: "refuse", categories: ["weather"] }
        : { kind: "image" },
    );
    const done = await untilFinal(await accept(ownStory, other), other);
    stack.provider.behave(() => ({ kind: "image" }));
    expect(done).toMatchObject({ status: "failed", cost_eur: "0.00", scenes_completed: 1 });
    expect(done.error?.error).toBe("provider_refused");
    const balance = await stack.request(other, "GET", "/v1/account");
    expect(await balance.json()).toMatchObject({ balance_eur: "10.00", held_eur: "0.00" });
  });

  it("can be cancelled while running: current images are its last and cost nothing", async () => {
    const other = await stack.createAccount();
    const held = holdCalls(stack.provider);
    const jobId = await accept(ownStory, other);
    await held.called;
    expect((await read(jobId, other)).status).toBe("processing");
    const takeBack = () => stack.request(other, "DELETE", `/v1/jobs/${jobId}`);
    for (const response of [await takeBack(), await takeBack()]) {
      expect(response.status).toBe(202);
      expect(await response.json()).toMatchObject({ id: jobId, status: "processing" });
    }
    held.release();
    expect(await untilFinal(jobId, other)).toMatchObject({
      status: "cancelled",
      cost_eur: "0.00",
      scenes_completed: 0,
      result: null,
    });
    stack.provider.behave(() => ({ kind: "image" }));
    const balance = await stack.request(other, "GET", "/v1/account");
    expect(await balance.json()).toMatchObject({ balance_eur: "10.00", held_eur: "0.00" });
    expect((await takeBack()).status).toBe(409);
  });

  it("regenerates one scene with the references of an earlier story", async () => {
    const done = await untilFinal(await accept(ownStory));
    const [mira] = done.result?.characters ?? [];
    const [beach] = done.result?.locations ?? [];
    const response = await post(
      {
        model: "fake-blind",
        prompt: "Mira waves goodbye",
        characters: [
          {
            name: "Mira",
            description: story.characters[0]?.description,
            reference_url: mira?.reference_url,
          },
        ],
        location: {
          name: "Beach",
          description: "a wide beach with dunes",
          reference_url: beach?.reference_url,
        },
      },
      account,
      "/v1/generate/scene",
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ cost_eur: "0.05", ai_generated: true });
    expect(stack.provider.calls.at(-1)?.references).toBe(2);
  });

  describe("refuses, before anything is stored or held,", () => {
    const [mira, otto] = ownStory.characters;
    const [first, second] = ownStory.scenes;
    const tooMany = (count: number, make: (index: number) => unknown) =>
      Array.from({ length: count }, (_, index) => make(index));
    const named = (index: number) => ({ name: `C${index}`, description: "somebody" });

    it.each<[string, object, number, string, string]>([
      [
        "a model without multi-turn",
        { model: "builtin-pattern" },
        422,
        "model_not_capable",
        "model",
      ],
      [
        "a model without multi-turn, whatever else it lacks",
        { model: "builtin-pattern", image_size: "8K", aspect_ratio: "5:4" },
        422,
        "model_not_capable",
        "model",
      ],
      ["an unknown model", { model: "none" }, 404, "model_not_found", ""],
      ["no character", { characters: [] }, 400, "invalid_request", "characters"],
      [
        "eleven characters",
        { characters: tooMany(11, named) },
        400,
        "invalid_request",
        "characters",
      ],
      ["one scene", { scenes: [first] }, 400, "invalid_request", "scenes"],
      ["eleven scenes", { scenes: tooMany(11, () => first) }, 400, "invalid_request", "scenes"],
      [
        "six states",
        {
          characters: [
            {
              ...mira,
              states: Object.fromEntries(
                tooMany(6, (index) => [`s${index}`, { description: "other" }]) as [
                  string,
                  object,
                ][],
              ),
            },
          ],
        },
        400,
        "invalid_request",
        "characters.0.states",
      ],
      [
        "six shared references",
        {
          reference_images: tooMany(6, (index) => ({
            description: "a place",
            url: `https://example.com/${index}.png`,
          })),
        },
        400,
        "invalid_request",
        "reference_images",
      ],
      [
        "two characters of one name",
        { characters: [mira, { ...otto, name: "Mira" }] },
        422,
        "duplicate_name",
        "characters.1.name",
      ],
      [
        "an unknown character",
        { scenes: [first, { ...second, characters: [{ name: "Nobody" }] }] },
        422,
        "unknown_character",
        "scenes.1.characters.0.name",
      ],
      [
        "an unknown state",
        { scenes: [first, { ...second, characters: [{ name: "Mira", state: "snow" }] }] },
        422,
        "unknown_state",
        "scenes.1.characters.0.state",
      ],
      [
        "an unknown location",
        { scenes: [{ ...first, location: "Moon" }, second] },
        422,
        "unknown_location",
        "scenes.0.location",
      ],
      [
        "an aspect ratio that the model lacks",
        { aspect_ratio: "21:9" },
        422,
        "unsupported_aspect_ratio",
        "aspect_ratio",
      ],
      [
        "a scene's aspect ratio that the model lacks",
        { scenes: [first, { ...second, aspect_ratio: "21:9" }] },
        422,
        "unsupported_aspect_ratio",
        "scenes.1.aspect_ratio",
      ],
      [
        "a reference that is not HTTPS",
        { characters: [{ ...mira, reference_url: "http://example.com/mira.png" }, otto] },
        400,
        "invalid_request",
        "characters.0.reference_url",
      ],
      [
        "a reference that is not public",
        { characters: [{ ...mira, reference_url: "https://127.0.0.1/mira.png" }, otto] },
        422,
        "reference_unreachable",
        "characters.0.reference_url",
      ],
      ["an unknown property", { seting: "a harbour" }, 400, "invalid_request", "seting"],
    ])("%s", async (_name, change, status, code, path) => {
      const other = await stack.createAccount();
      const response = await post({ ...ownStory, ...change }, other);
      const body = (await response.json()) as { error: string; details: unknown };
      expect({ status: response.status, error: body.error }).toEqual({ status, error: code });
      expect(JSON.stringify(body.details)).toContain(path);
      const jobs = await stack.request(other, "GET", "/v1/jobs");
      expect(await jobs.json()).toEqual({ jobs: [], next_cursor: null });
      const balance = await stack.request(other, "GET", "/v1/account");
      expect(await balance.json()).toMatchObject({ balance_eur: "10.00", held_eur: "0.00" });
    });
  });
});
