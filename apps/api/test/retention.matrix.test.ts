import { describeStacks, type Stack } from "@atelier/testing";
import { beforeAll, expect, it } from "vitest";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

const environment = { RETENTION_HOURS: "24", SWEEP_INTERVAL_SECONDS: "0.3" };

describeStacks("an image whose time is over", { environment }, (stackOf) => {
  let stack: Stack;
  let client: Client;
  let jobId: string;
  let imageUrl: string;
  let imageHash: string | undefined;

  beforeAll(async () => {
    stack = stackOf();
    client = await createClient(stack);
    jobId = await client.accept();
    const { result } = await client.untilFinal(jobId);
    imageUrl = result?.image_url ?? "";
    imageHash = result?.image_hash;
    const { status } = await fetch(imageUrl);
    if (status !== 200) throw new Error(`the image answers with ${status} before its time is over`);
    await stack.database.query(
      "UPDATE generation SET completed_at = completed_at - interval '24 hours' WHERE id = $1",
      [jobId],
    );
    await stack.database.query("UPDATE image SET created_at = created_at - interval '24 hours'");
  });

  it("is deleted while its job keeps the hash", async () => {
    const job = await eventually(
      () => client.read(jobId),
      ({ result }) => result?.image_url === undefined,
    );
    expect(imageHash).toMatch(/^[0-9a-f]{64}$/);
    expect(job).toMatchObject({ status: "completed", cost_eur: "0.05" });
    expect(job.result).toMatchObject({ image_hash: imageHash, cost_eur: "0.05" });
    for (const name of ["image_url", "image_urls", "formats"]) {
      expect(job.result).not.toHaveProperty(name);
    }
    // The file follows: its URL still works until a sweep removes it.
    await eventually(
      async () => (await fetch(imageUrl)).status,
      (status) => status === 404,
    );
  });

  it("is deleted from a story; titles, names and hashes stay", async () => {
    const storyClient = await createClient(stack);
    const response = await stack.request(storyClient.account, "POST", "/v1/generate/story", {
      model: "fake-blind",
      characters: [{ name: "Mira", description: "a girl with red hair" }],
      locations: [{ name: "Beach", description: "a wide beach" }],
      scenes: [
        { prompt: "Mira finds a kite", characters: [{ name: "Mira" }], location: "Beach" },
        { prompt: "Mira goes home", characters: [{ name: "Mira" }] },
      ],
    });
    const storyId = response.headers.get("X-Service-Job-Id") ?? "";
    const { result: before } = await storyClient.untilFinal(storyId);
    expect(before?.image_hashes).toHaveLength(2);
    await stack.database.query(
      `UPDATE image SET created_at = image.created_at - interval '24 hours' FROM render
        WHERE render.id = render_id AND generation_id = $1`,
      [storyId],
    );
    await stack.database.query(
      "UPDATE generation SET completed_at = completed_at - interval '24 hours' WHERE id = $1",
      [storyId],
    );
    const { result } = await eventually(
      () => storyClient.read(storyId),
      (job) => !JSON.stringify(job).includes("expires_at"),
    );
    expect(result).toEqual({
      id: storyId,
      model: "fake-blind",
      ai_generated: true,
      cost_eur: "0.20",
      balance_eur: "9.80",
      seed: before?.seed,
      title: before?.title,
      scenes: before?.scenes?.map(({ scene, title, image_hash, width, height, layers }) => ({
        scene,
        title,
        image_hash,
        width,
        height,
        layers,
      })),
      characters: [{ name: "Mira" }],
      locations: [{ name: "Beach" }],
      image_hashes: before?.image_hashes,
    });
  });

  it("is deleted from a graphic with its SVG and its thumbnail", async () => {
    const own = await createClient(stack);
    const response = await stack.request(own.account, "POST", "/v1/generate/graphic", {
      model: "builtin-graphic",
      prompt: "a rocket",
      kind: "icon",
    });
    const graphicId = response.headers.get("X-Service-Job-Id") ?? "";
    const { result } = await own.untilFinal(graphicId);
    const urls = [result?.formats?.svg?.url, result?.thumbnail_url, result?.image_url];
    const statuses = () => Promise.all(urls.map(async (url) => (await fetch(url ?? "")).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await stack.database.query(
      `UPDATE image SET created_at = image.created_at - interval '24 hours' FROM render
        WHERE render.id = render_id AND generation_id = $1`,
      [graphicId],
    );
    await stack.database.query(
      "UPDATE generation SET completed_at = completed_at - interval '24 hours' WHERE id = $1",
      [graphicId],
    );
    expect(await eventually(statuses, (all) => all.every((status) => status === 404))).toEqual([
      404, 404, 404,
    ]);
    expect(JSON.stringify((await own.read(graphicId)).result)).not.toContain("http");
  });

  it("can't be used as a reference, and the refused request costs nothing", async () => {
    const response = await client.generate({
      ...image,
      reference_images: [{ description: "the same lighthouse", url: imageUrl }],
    });
    expect(response.status).toBe(422);
    expect(await readError(response)).toMatchObject({
      error: "reference_unreachable",
      details: [{ path: "reference_images.0.url", reason: "gone" }],
    });
    expect(await client.money()).toEqual({ balance_eur: "9.95", held_eur: "0.00" });
  });
});
