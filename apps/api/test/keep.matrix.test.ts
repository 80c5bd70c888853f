import { keptList, keptPrefix } from "@atelier/schemas";
import { createStorage } from "@atelier/storage";
import { describeStacks, type Stack } from "@atelier/testing";
import { beforeAll, expect, it } from "vitest";
import { createClient, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

const environment = { RETENTION_HOURS: "24", SWEEP_INTERVAL_SECONDS: "0.3" };

describeStacks("images that are kept", { environment }, (stackOf) => {
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    stack = stackOf();
    client = await createClient(stack);
  });

  const ask = (method: string, path: string) => stack.request(client.account, method, path);

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

  it("have the characters of a story for a scene, an edit and another story after its retention", async () => {
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
    const bytesOf = async (url: string | undefined) =>
      Buffer.from(await (await fetch(url ?? "")).arrayBuffer());
    expect((await bytesOf(mira?.reference_url)).equals(await bytesOf(first?.reference_url))).toBe(
      true,
    );
  });

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
