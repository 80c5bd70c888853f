import {
  keptCharacter,
  keptCharacterList,
  keptList,
  keptLocation,
  mintedKey,
  memberAccepted,
  keptPrefix,
  type BatchResponse,
  type KeptLocation,
} from "@atelier/schemas";
import { createStorage } from "@atelier/storage";
import { describeStacks, type Stack } from "@atelier/testing";
import { beforeAll, expect, it } from "vitest";
import { createClient, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

const environment = { RETENTION_HOURS: "24", SWEEP_INTERVAL_SECONDS: "0.3" };

describeStacks("images that are kept", { environment }, (stackOf) => {
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    stack = stackOf();
    client = await createClient(stack);
  });

  const ask = (method: string, path: string, body?: object) =>
    stack.request(client.account, method, path, body);

  async function bytesOf(url: string | undefined): Promise<Buffer> {
    return Buffer.from(await (await fetch(url ?? "")).arrayBuffer());
  }

  async function untilKept(kind: "characters" | "locations", id: string): Promise<KeptLocation> {
    const schema = kind === "characters" ? keptCharacter : keptLocation;
    return eventually(
      async () => schema.parse(await (await ask("GET", `/v1/${kind}/${id}`)).json()),
      ({ status }) => status === "kept",
    );
  }

  /** The roles of the references of a job's renders, with the folders of those that are stored. */
  async function referencesOf(jobId: string): Promise<(readonly [string, string | null])[]> {
    const references = await stack.database.query<{ role: string; key: string | null }>(
      `SELECT reference->>'role' AS role, reference->'source'->>'key' AS key
         FROM render, jsonb_array_elements(spec->'references') WITH ORDINALITY AS listed (reference, place)
        WHERE generation_id = $1 ORDER BY position, place`,
      [jobId],
    );
    return references.map(({ role, key }) => [role, key?.split("/").slice(0, 2).join("/") ?? null]);
  }

  async function keptFiles(): Promise<number> {
    const files = await stack.database.query("SELECT FROM kept_file WHERE account_id = $1", [
      client.account.accountId,
    ]);
    return files.length;
  }

  /** Moves the end of a job by the retention, and waits until its own files are removed. */
  async function untilSwept(jobId: string): Promise<void> {
    await stack.database.query(
      `WITH moved AS (
         UPDATE image SET created_at = image.created_at - interval '24 hours'
           FROM render WHERE render.id = render_id AND generation_id = $1)
       UPDATE generation SET completed_at = completed_at - interval '24 hours' WHERE id = $1`,
      [jobId],
    );
    await eventually(
      () =>
        stack.database.query(
          `SELECT FROM image JOIN render ON render.id = render_id
            WHERE generation_id = $1 AND removed_at IS NULL`,
          [jobId],
        ),
      (remaining) => remaining.length === 0,
    );
  }

  it("stay after the retention, until they are released", async () => {
    const jobId = await client.accept();
    await client.untilFinal(jobId);
    expect((await ask("POST", `/v1/jobs/${jobId}/keep`)).status).toBe(200);
    await eventually(
      () => client.read(jobId),
      ({ keep }) => keep?.status === "kept",
    );
    await untilSwept(jobId);

    const { result, keep } = await client.read(jobId);
    const urls = [result?.image_url, result?.formats?.webp?.url, result?.thumbnail_url];
    const statuses = () => Promise.all(urls.map(async (url) => (await fetch(url ?? "")).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    const bytes = new Uint8Array(await (await fetch(result?.image_url ?? "")).arrayBuffer());
    expect(bytes.byteLength).toBe(result?.formats?.png?.size_bytes);

    const list = keptList.parse(await (await ask("GET", "/v1/kept")).json());
    expect(list).toMatchObject({
      used_bytes: keep?.size_bytes,
      quota_bytes: 1_000_000_000,
      kept: [{ job_id: jobId, status: "kept", size_bytes: keep?.size_bytes }],
      next_cursor: null,
    });

    expect((await ask("DELETE", `/v1/jobs/${jobId}/keep`)).status).toBe(200);
    expect((await client.read(jobId)).result).not.toHaveProperty("image_url");
    await eventually(keptFiles, (files) => files === 0);
    await eventually(statuses, (now) => now.every((status) => status === 404));
  });

  it(
    "have the characters of a story for a scene, an edit and another story after its retention",
    { tags: "full" },
    async () => {
      const response = await stack.request(client.account, "POST", "/v1/generate/story", {
        model: "builtin-illustrator",
        style: "watercolour",
        keep: true,
        characters: [
          {
            name: "Mira",
            description: "a woman with long red hair",
            states: { rain: { description: "wearing a yellow raincoat" } },
          },
        ],
        locations: [{ name: "harbour", description: "a small harbour" }],
        scenes: [
          { prompt: "Mira waits", characters: ["Mira"], location: "harbour" },
          { prompt: "Mira goes home" },
        ],
      });
      const storyId = response.headers.get("X-Service-Job-Id") ?? "";
      await client.untilFinal(storyId);
      await eventually(
        () => client.read(storyId),
        ({ keep }) => keep?.status === "kept",
      );
      await untilSwept(storyId);

      const scene = await stack.request(client.account, "POST", "/v1/generate/scene", {
        story_job_id: storyId,
        prompt: "Mira runs through the rain",
        characters: [{ name: "Mira", state: "rain" }],
        location: "harbour",
      });
      expect(scene.status).toBe(200);
      const { id } = (await scene.json()) as { readonly id: string };
      const { request } = await client.read(id);
      expect(request).toMatchObject({
        model: "builtin-illustrator",
        style: "watercolour",
        characters: [
          {
            name: "Mira",
            description: expect.stringMatching(/^a woman with long red hair.*a yellow raincoat/),
            reference: { job_id: storyId, portrait: "Mira", state: "rain" },
          },
        ],
        location: {
          name: "harbour",
          description: "a small harbour",
          reference: { job_id: storyId, location: "harbour" },
        },
      });

      const edit = await stack.request(client.account, "POST", "/v1/generate/edit", {
        model: "builtin-illustrator",
        prompt: "the same in the snow",
        image: { job_id: storyId, location: "harbour" },
      });
      expect(edit.status).toBe(200);

      const next = await stack.request(client.account, "POST", "/v1/generate/story", {
        model: "builtin-illustrator",
        characters: [
          {
            name: "Mira",
            description: "a woman with long red hair",
            reference: { job_id: storyId, portrait: "Mira" },
          },
        ],
        scenes: [{ prompt: "Mira wakes up", characters: ["Mira"] }, { prompt: "The end" }],
      });
      const nextId = next.headers.get("X-Service-Job-Id") ?? "";
      const { result, renders_total } = await client.untilFinal(nextId);
      expect(renders_total).toBe(2);
      const [mira] = result?.characters ?? [];
      const [first] = (await client.read(storyId)).result?.characters ?? [];
      expect((await bytesOf(mira?.reference_url)).equals(await bytesOf(first?.reference_url))).toBe(
        true,
      );
    },
  );

  it(
    "have the characters and locations that outlive their story, for a story a day later",
    { tags: "full" },
    async () => {
      const response = await stack.request(client.account, "POST", "/v1/generate/story", {
        model: "builtin-illustrator",
        characters: [
          {
            name: "Mira",
            description: "a woman with long red hair",
            states: { rain: { description: "wearing a yellow raincoat" } },
          },
        ],
        locations: [{ name: "harbour", description: "a small harbour" }],
        scenes: [{ prompt: "Mira waits" }, { prompt: "Mira goes home" }],
      });
      const storyId = response.headers.get("X-Service-Job-Id") ?? "";
      const { result } = await client.untilFinal(storyId);
      const [portrait, rainPortrait] = await Promise.all(
        (result?.characters ?? []).map(({ reference_url: url }) => bytesOf(url)),
      );

      const headers = { "Idempotency-Key": "keep-mira" };
      const create = (name: string) =>
        stack.request(
          client.account,
          "POST",
          "/v1/characters",
          { story_job_id: storyId, name },
          headers,
        );
      const created = keptCharacter.parse(await (await create("Mira")).json());
      const repeated = await create("Mira");
      expect([repeated.status, repeated.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
      expect(await repeated.json()).toMatchObject({ id: created.id });
      expect((await create("Tom")).status).toBe(422);
      const minted = await stack.request(client.account, "POST", "/v1/keys", {
        name: "other",
        scopes: ["generate"],
      });
      const { key } = mintedKey.parse(await minted.json());
      const taken = await stack.request(
        { key },
        "POST",
        "/v1/characters",
        { story_job_id: storyId, name: "Mira" },
        headers,
      );
      expect([taken.status, await readError(taken)]).toMatchObject([
        422,
        { error: "idempotency_key_reused" },
      ]);
      const harbour = keptLocation.parse(
        await (
          await ask("POST", "/v1/locations", { story_job_id: storyId, name: "harbour" })
        ).json(),
      );
      await eventually(
        async () =>
          keptLocation.parse(await (await ask("GET", `/v1/locations/${harbour.id}`)).json()),
        ({ status }) => status === "kept",
      );
      await untilSwept(storyId);

      const mira = keptCharacter.parse(
        await (await ask("GET", `/v1/characters/${created.id}`)).json(),
      );
      expect(mira).toMatchObject({
        name: "Mira",
        status: "kept",
        description: "a woman with long red hair",
        story_job_id: storyId,
        states: [{ state: "rain", description: "wearing a yellow raincoat" }],
      });
      expect((await bytesOf(mira.reference_url)).equals(portrait ?? Buffer.of())).toBe(true);

      const scenes = [
        { prompt: "Mira wakes up", characters: ["Mira"], location: "harbour" },
        { prompt: "Mira goes out", characters: [{ name: "Mira", state: "rain" }] },
      ];
      const next = await ask("POST", "/v1/generate/story", {
        model: "builtin-illustrator",
        characters: [{ character_id: mira.id }],
        locations: [{ location_id: harbour.id }],
        scenes,
      });
      const nextId = next.headers.get("X-Service-Job-Id") ?? "";
      const made = await client.untilFinal(nextId);
      expect(made.renders_total).toBe(2);
      expect(made.request).toMatchObject({
        characters: [
          {
            name: "Mira",
            description: "a woman with long red hair",
            reference: { character_id: mira.id },
            states: { rain: { reference: { character_id: mira.id, state: "rain" } } },
          },
        ],
        locations: [{ name: "harbour", reference: { location_id: harbour.id } }],
      });
      const shown = await Promise.all(
        (made.result?.characters ?? []).map(({ reference_url: url }) => bytesOf(url)),
      );
      expect(
        shown.map((bytes, index) => bytes.equals([portrait, rainPortrait][index] ?? Buffer.of())),
      ).toEqual([true, true]);
      expect(await referencesOf(nextId)).toEqual([
        ["character", `kept/${mira.id}`],
        ["location", `kept/${harbour.id}`],
        ["character", `kept/${mira.id}`],
        ["previous-scene", null],
      ]);

      const scene = await ask("POST", "/v1/generate/scene", {
        model: "builtin-illustrator",
        prompt: "Mira runs through the rain",
        characters: [{ character_id: mira.id, state: "rain" }],
        location: { location_id: harbour.id },
      });
      expect(scene.status).toBe(200);
      const { id } = (await scene.json()) as { readonly id: string };
      expect(await referencesOf(id)).toEqual([
        ["character", `kept/${mira.id}`],
        ["location", `kept/${harbour.id}`],
      ]);

      expect((await ask("DELETE", `/v1/characters/${mira.id}`)).status).toBe(204);
      expect((await ask("DELETE", `/v1/locations/${harbour.id}`)).status).toBe(204);
      await eventually(
        async () => (await fetch(mira.reference_url ?? "")).status,
        (status) => status === 404,
      );
    },
  );

  it("of an upload are a character until it is deleted, for its account only", async () => {
    const image = await client.generate({ model: "builtin-illustrator", prompt: "a woman" });
    const { image_url } = (await image.json()) as { readonly image_url: string };
    const uploaded = await fetch(`${stack.url}/v1/uploads`, {
      method: "POST",
      headers: { Authorization: `Bearer ${client.account.key}`, "Content-Type": "image/png" },
      body: new Uint8Array(await bytesOf(image_url)),
    });
    const { id: uploadId } = (await uploaded.json()) as { readonly id: string };
    const described = { name: "Ada", description: "a woman", reference: { upload_id: uploadId } };
    const refused = await ask("POST", "/v1/characters", {
      ...described,
      description: "a naked child",
    });
    expect([422, 451]).toContain(refused.status);

    const ada = keptCharacter.parse(await (await ask("POST", "/v1/characters", described)).json());
    await eventually(
      async () => keptCharacter.parse(await (await ask("GET", `/v1/characters/${ada.id}`)).json()),
      ({ status }) => status === "kept",
    );
    expect((await ask("DELETE", `/v1/uploads/${uploadId}`)).status).toBe(204);
    const story = {
      model: "builtin-illustrator",
      characters: [{ character_id: ada.id, name: "Aunt Ada" }],
      scenes: [{ prompt: "Ada waits", characters: ["Aunt Ada"] }, { prompt: "The end" }],
    };
    const accepted = await ask("POST", "/v1/generate/story", story);
    const made = await client.untilFinal(accepted.headers.get("X-Service-Job-Id") ?? "");
    expect(made.status).toBe("completed");

    const other = await createClient(stack);
    const foreign = await stack.request(other.account, "POST", "/v1/generate/story", story);
    expect([foreign.status, await foreign.json()]).toMatchObject([
      422,
      { error: "unknown_character", details: [{ path: "characters.0.character_id" }] },
    ]);
    expect((await stack.request(other.account, "GET", `/v1/characters/${ada.id}`)).status).toBe(
      404,
    );
    expect((await stack.request(other.account, "DELETE", `/v1/characters/${ada.id}`)).status).toBe(
      404,
    );
    expect((await ask("GET", `/v1/locations/${ada.id}`)).status).toBe(404);
    const list = keptCharacterList.parse(await (await ask("GET", "/v1/characters")).json());
    expect(list.characters.map((one) => one.id)).toEqual([ada.id]);
    expect(await (await stack.request(other.account, "GET", "/v1/characters")).json()).toEqual({
      characters: [],
      next_cursor: null,
    });
    const exported = await (await ask("GET", "/v1/account/export")).text();
    expect(exported).toContain(`{"type":"character","character":{"id":"${ada.id}"`);
    const [balance] = await stack.database.query(
      "SELECT held_micro_eur AS held FROM account WHERE id = $1",
      [other.account.accountId],
    );
    expect(balance).toEqual({ held: 0n });
  });

  it(
    "of characters are the references of an image, whose unfinished job keeps them",
    { tags: "full" },
    async () => {
      const minted = mintedKey.parse(
        await (await ask("POST", "/v1/keys", { name: "CI", mode: "test" })).json(),
      );
      const tester = { ...client.account, key: minted.key };
      const test = (
        method: string,
        path: string,
        body?: object,
        headers?: Record<string, string>,
      ) => stack.request(tester, method, path, body, headers);
      const draw = async (kind: "characters" | "locations", body: object) => {
        const drawn = await test("POST", `/v1/${kind}`, { model: "builtin-illustrator", ...body });
        const { id } = memberAccepted.parse(await drawn.json());
        await untilKept(kind, id);
        return id;
      };
      const states = { rain: { description: "wearing a yellow raincoat" } };
      const mira = await draw("characters", { name: "Mira", description: "a tall woman", states });
      const harbour = await draw("locations", { name: "Harbour", description: "a small harbour" });
      const image = {
        model: "builtin-illustrator",
        prompt: "Mira mends a net",
        characters: [{ character_id: mira, state: "rain" }],
        location: { location_id: harbour },
      };
      const made = await test("POST", "/v1/generate/image", { ...image, after: ["upscale:2"] });
      const { id } = (await made.json()) as { readonly id: string };
      expect(await referencesOf(id)).toEqual([
        ["character", `kept/${mira}`],
        ["location", `kept/${harbour}`],
      ]);
      const [spec] = await stack.database.query<{ prompt: string }>(
        "SELECT spec->>'prompt' AS prompt FROM render WHERE generation_id = $1",
        [id],
      );
      expect(spec?.prompt).toContain("\nCharacter (Mira): a tall woman. Now appearing differently");
      const { request } = await client.read(id);
      expect(request).toMatchObject({
        prompt: "Mira mends a net",
        characters: [{ character_id: mira, name: "Mira", state: "rain" }],
        location: { location_id: harbour, name: "Harbour" },
      });
      expect((await test("POST", "/v1/generate/image", { ...request })).status).toBe(200);

      const blind = { ...image, model: "builtin-pattern", location: null };
      for (const [path, body] of [
        ["/v1/generate/image", blind],
        ["/v1/quotes", { operation: "image", request: blind }],
      ] as const) {
        const refused = await test("POST", path, body);
        expect([path, refused.status, await refused.json()]).toMatchObject([
          path,
          422,
          {
            error: "references_not_supported",
            details: [{ path: "characters.0.character_id" }],
          },
        ]);
      }
      const batch = await test("POST", "/v1/batches", {
        requests: [image, blind].map((body) => ({ operation: "image", body })),
      });
      const { id: batchId } = (await batch.json()) as { readonly id: string };
      await eventually(
        async () => (await (await test("GET", `/v1/batches/${batchId}`)).json()) as BatchResponse,
        ({ completed_at, counts }) =>
          completed_at !== null && counts.completed === 1 && counts.failed === 1,
      );

      const other = await createClient(stack);
      const foreign = await stack.request(other.account, "POST", "/v1/generate/image", image);
      expect([foreign.status, await foreign.json()]).toMatchObject([
        422,
        {
          error: "unknown_character",
          details: [
            { path: "characters.0.character_id" },
            { path: "location.location_id", code: "unknown_location" },
          ],
        },
      ]);
      const slow = { ...image, prompt: "test:slow 60" };
      const key = { "Idempotency-Key": "mira-slowly", Prefer: "respond-async" };
      const accepted = await test("POST", "/v1/generate/image", slow, key);
      const { job_id: slowId } = (await accepted.json()) as { readonly job_id: string };
      for (const path of [`/v1/characters/${mira}`, `/v1/locations/${harbour}`]) {
        const used = await test("DELETE", path);
        expect([used.status, await used.json()]).toMatchObject([409, { error: "images_in_use" }]);
      }
      await test("DELETE", `/v1/jobs/${slowId}`);
      await eventually(
        async () => (await test("DELETE", `/v1/characters/${mira}`)).status,
        (status) => status === 204,
      );
      const again = await test("POST", "/v1/generate/image", slow, key);
      expect([again.status, await again.json()]).toMatchObject([409, { error: "job_cancelled" }]);
      expect((await test("POST", "/v1/generate/image", image)).status).toBe(422);
      expect((await test("DELETE", `/v1/locations/${harbour}`)).status).toBe(204);
    },
  );

  it(
    "of a character are changed for later stories, and leave those that it is in",
    { tags: "full" },
    async () => {
      const made = await client.generate({ model: "builtin-illustrator", prompt: "a woman", n: 2 });
      const { id: jobId } = (await made.json()) as { readonly id: string };
      const described = { name: "Ida", description: "a woman", reference: { job_id: jobId } };
      const created = await (await ask("POST", "/v1/characters", described)).json();
      const { id } = keptCharacter.parse(created);
      const before = await untilKept("characters", id);
      const tell = async (characters: readonly object[]) => {
        const story = {
          model: "builtin-illustrator",
          characters: [{ character_id: id }],
          scenes: [{ prompt: "Ida waits", characters }, { prompt: "The end" }],
        };
        const accepted = await ask("POST", "/v1/generate/story", story);
        return client.untilFinal(accepted.headers.get("X-Service-Job-Id") ?? "");
      };
      const first = await tell([{ name: "Ida" }]);
      expect(first.result?.characters?.[0]).toHaveProperty("reference_url");

      const path = `/v1/characters/${id}`;
      const coat = { description: "in a red coat", reference: { job_id: jobId, image: 1 } };
      const change = { name: "Ida May", description: "a lady", states: { coat } };
      for (const text of ["the same", "a second time"]) {
        const changed = await ask("PATCH", path, change);
        expect([text, changed.status, await changed.json()]).toMatchObject([
          text,
          200,
          { id, name: "Ida May", description: "a lady", states: [{ state: "coat" }] },
        ]);
      }
      const kept = keptCharacter.parse(await untilKept("characters", id));
      expect(kept.size_bytes).toBeGreaterThan(before.size_bytes);
      expect(kept.reference_url?.split("?")[0]).toBe(before.reference_url?.split("?")[0]);
      const coatBytes = await bytesOf(kept.states[0]?.reference_url);
      expect(coatBytes.equals(await bytesOf(kept.reference_url))).toBe(false);
      const moved = { reference: { character_id: id, state: "coat" }, states: { coat: null } };
      for (const text of ["the same", "a second time"]) {
        const replaced = await ask("PATCH", path, moved);
        expect([text, replaced.status, await replaced.json()]).toMatchObject([
          text,
          200,
          { description: "a lady", states: [] },
        ]);
      }
      const now = await untilKept("characters", id);
      expect((await bytesOf(now.reference_url)).equals(coatBytes)).toBe(true);
      const removedAgain = await ask("PATCH", path, { states: { coat: null } });
      expect([removedAgain.status, await removedAgain.json()]).toMatchObject([200, { states: [] }]);

      const later = await client.read(first.id);
      expect(later.result?.characters).toMatchObject([{ name: "Ida" }]);
      expect(later.result?.characters?.[0]).not.toHaveProperty("reference_url");
      const second = await tell([{ name: "Ida May" }]);
      expect(second.result?.characters).toMatchObject([
        { name: "Ida May", reference_url: expect.any(String) },
      ]);

      const refusals: readonly (readonly [object, number, object])[] = [
        [{ colour: "red" }, 400, { details: [{ path: "colour", code: "unknown_property" }] }],
        [{ states: { hat: { description: "a hat" } } }, 400, { error: "invalid_request" }],
        [{ reference: { upload_id: id } }, 422, { error: "reference_unreachable" }],
        [{ description: "a naked child" }, 451, { details: [{ path: "description" }] }],
      ];
      for (const [body, status, error] of refusals) {
        const response = await ask("PATCH", path, body);
        expect([response.status, await response.json()]).toMatchObject([status, error]);
      }
      const other = await createClient(stack);
      const foreign = await stack.request(other.account, "PATCH", path, { name: "Eve" });
      expect([foreign.status, await foreign.json()]).toMatchObject([
        404,
        { error: "character_not_found" },
      ]);
      expect((await ask("PATCH", `/v1/locations/${id}`, { name: "Eve" })).status).toBe(404);
      expect(await (await ask("GET", path)).json()).toMatchObject({ name: "Ida May", states: [] });
    },
  );

  it("of a cast that is drawn before its story are those of its scenes", async () => {
    const cast = {
      model: "builtin-illustrator",
      characters: [{ name: "Mira", description: "a woman with long red hair" }],
      locations: [{ name: "harbour", description: "a small harbour" }],
    };
    for (const scenes of [undefined, []]) {
      const refused = await ask("POST", "/v1/generate/story", { ...cast, scenes });
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { details: [{ path: "scenes", message: "is required without cast_only" }] },
      ]);
    }
    const only = { ...cast, cast_only: true, scenes: [] };
    const quote = await ask("POST", "/v1/quotes", { operation: "story", request: only });
    expect(await quote.json()).toMatchObject({ price_eur: "0.02" });
    const response = await ask("POST", "/v1/generate/story", only);
    const castId = response.headers.get("X-Service-Job-Id") ?? "";
    const { result, cost_eur, ...job } = await client.untilFinal(castId);
    expect(job).toMatchObject({ status: "completed", renders_total: 2, scenes_total: 0 });
    expect(cost_eur).toBe("0.02");
    expect(result).toMatchObject({
      scenes: [],
      image_urls: [],
      characters: [{ name: "Mira", reference_url: expect.any(String) }],
      locations: [{ name: "harbour", reference_url: expect.any(String) }],
    });
    const scene = await ask("POST", "/v1/generate/scene", {
      story_job_id: castId,
      prompt: "Mira waits",
      characters: ["Mira"],
      location: "harbour",
    });
    expect(scene.status).toBe(200);
    const kept = await ask("POST", "/v1/characters", { story_job_id: castId, name: "Mira" });
    expect(kept.status).toBe(201);
  });

  it(
    "are drawn from a description, as a character or location that a failed job refuses",
    { tags: "full" },
    async () => {
      const before = await client.money();
      const body = {
        name: "Otto",
        description: "an old sailor with a white beard",
        states: { storm: { description: "wearing a yellow oilskin" } },
        model: "builtin-illustrator",
        style: "watercolour",
      };
      const headers = { "Idempotency-Key": "draw-otto" };
      const draw = (given: object) =>
        stack.request(client.account, "POST", "/v1/characters", given, headers);
      const response = await draw(body);
      expect(response.status).toBe(202);
      const { id, job_id } = memberAccepted.parse(await response.json());
      const { status, renders_total } = await client.untilFinal(job_id);
      expect([status, renders_total]).toEqual(["completed", 2]);
      const repeated = await draw(body);
      expect([repeated.status, repeated.headers.get("Idempotent-Replayed")]).toEqual([202, "true"]);
      expect(await repeated.json()).toMatchObject({ id, job_id });
      expect((await draw({ ...body, name: "Ottilie" })).status).toBe(422);
      const otto = await untilKept("characters", id);
      expect(otto).toMatchObject({
        name: "Otto",
        story_job_id: job_id,
        states: [{ state: "storm", reference_url: expect.any(String) }],
      });
      const after = await client.money();
      expect(Number(before.balance_eur) - Number(after.balance_eur)).toBeCloseTo(0.02);
      await untilSwept(job_id);
      const scene = await ask("POST", "/v1/generate/scene", {
        model: "builtin-illustrator",
        prompt: "Otto hauls the nets in",
        characters: [{ character_id: id, state: "storm" }],
      });
      expect(scene.status).toBe(200);
      expect(await referencesOf(((await scene.json()) as { readonly id: string }).id)).toEqual([
        ["character", `kept/${id}`],
      ]);

      const pier = { name: "Pier", description: "a wooden pier", model: "builtin-illustrator" };
      const accepted = memberAccepted.parse(
        await (await ask("POST", "/v1/locations", pier)).json(),
      );
      expect(await untilKept("locations", accepted.id)).toMatchObject({ name: "Pier" });

      const lost = memberAccepted.parse(await (await ask("POST", "/v1/locations", pier)).json());
      await client.cancel(lost.job_id);
      const ended = await client.untilFinal(lost.job_id);
      const outcome = await eventually(
        async () => keptLocation.parse(await (await ask("GET", `/v1/locations/${lost.id}`)).json()),
        (location) => location.status !== "pending",
      );
      expect(outcome.status).toBe(ended.status === "cancelled" ? "refused" : "kept");
      expect((await ask("DELETE", `/v1/locations/${lost.id}`)).status).toBe(204);

      const wrong = await ask("POST", "/v1/characters", { name: "Otto", description: "a sailor" });
      expect([wrong.status, await wrong.json()]).toMatchObject([
        400,
        { details: [{ path: "reference", message: "is required without model" }] },
      ]);
    },
  );

  it("of a story are named by those that it has", async () => {
    const response = await stack.request(client.account, "POST", "/v1/generate/story", {
      model: "builtin-illustrator",
      characters: [{ name: "Mira", description: "a woman" }],
      scenes: [{ prompt: "Mira waits" }, { prompt: "Mira goes home" }],
    });
    const storyId = response.headers.get("X-Service-Job-Id") ?? "";
    await client.untilFinal(storyId);
    const refusal = async (body: object) => {
      const refused = await stack.request(client.account, "POST", "/v1/generate/scene", {
        story_job_id: storyId,
        prompt: "Mira runs",
        ...body,
      });
      return (await refused.json()) as { readonly error: string; readonly message: string };
    };
    expect(await refusal({ characters: ["Tom"] })).toMatchObject({
      error: "unknown_character",
      message: expect.stringContaining('character "Tom" is not in the story; defined: "Mira"'),
    });
    expect(await refusal({ characters: [{ name: "Mira", state: "rain" }] })).toMatchObject({
      error: "unknown_state",
    });
    expect(await refusal({ location: "harbour" })).toMatchObject({ error: "unknown_location" });
    expect(
      await refusal({ story_job_id: undefined, model: "builtin-illustrator", location: "harbour" }),
    ).toMatchObject({
      error: "invalid_request",
      message: expect.stringContaining("location.description is required"),
    });
    expect(await refusal({ story_job_id: client.account.accountId })).toMatchObject({
      error: "reference_unreachable",
    });
    const other = await createClient(stack);
    const foreign = await stack.request(other.account, "POST", "/v1/generate/scene", {
      story_job_id: storyId,
      prompt: "Mira runs",
    });
    expect(foreign.status).toBe(422);
  });

  it("are kept by a request with keep, and are the source of a later edit", async () => {
    const response = await client.generate({
      model: "builtin-illustrator",
      prompt: "a lighthouse",
      keep: true,
    });
    const { id } = (await response.json()) as { readonly id: string };
    await eventually(
      () => client.read(id),
      ({ keep }) => keep?.status === "kept",
    );
    await untilSwept(id);
    const edited = await stack.request(client.account, "POST", "/v1/generate/edit", {
      model: "builtin-illustrator",
      prompt: "the same at night",
      image: { job_id: id },
    });
    expect(edited.status).toBe(200);

    const storage = await createStorage({
      url: stack.environment["STORAGE_URL"] ?? "",
      publicUrl: stack.url,
      signingSecret: "a secret that is only for tests and long enough",
    });
    const stored: string[] = [];
    for await (const { key } of storage.list(`${keptPrefix}${id}/`)) stored.push(key);
    await storage.close();
    const rows = await stack.database.query<{ key: string }>(
      "SELECT storage_key AS key FROM kept_file WHERE item_id = $1",
      [id],
    );
    expect(stored).toHaveLength(4);
    expect(stored.toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
  });
});
