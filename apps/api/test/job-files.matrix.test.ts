import { createHash } from "node:crypto";
import { job, maxArchiveBytes, type Job } from "@atelier/schemas";
import { describeStacks, type Stack } from "@atelier/testing";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createClient, image, readError, type Client } from "./support/client.ts";

describeStacks("the files of a job", { shared: true }, (stackOf) => {
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    stack = stackOf();
    client = await createClient(stack);
  });

  async function make(request: object = image): Promise<Job> {
    return client.untilFinal(await client.accept(request));
  }

  const send = (method: string, path: string, of = client) =>
    stack.request(of.account, method, `/v1/jobs/${path}`);

  function sha256(bytes: Uint8Array): string {
    return createHash("sha256").update(bytes).digest("hex");
  }

  it("are sent without a warning of too many listeners in the log", async () => {
    const warnings: string[] = [];
    const record = ({ name }: Error) => void warnings.push(name);
    process.on("warning", record);
    onTestFinished(() => void process.off("warning", record));
    const { result } = await make();
    const response = await fetch(result?.image_url ?? "");
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
    expect(await stack.api.log()).not.toContain("MaxListenersExceededWarning");
  });

  describe("as an archive", () => {
    it("are the images in one format, whose hashes are those of the job", async () => {
      const { id, result } = await make({ ...image, n: 3 });
      for (const [format, extension] of [
        ["png", "png"],
        ["jpeg", "jpg"],
      ] as const) {
        const query = format === "png" ? "" : `?format=${format}`;
        const response = await send("GET", `${id}/archive${query}`);
        expect(response.status).toBe(200);
        expect(response.headers.get("Content-Type")).toBe("application/zip");
        expect(response.headers.get("Content-Disposition")).toContain(`atelier-${id}.zip`);
        const bytes = new Uint8Array(await response.arrayBuffer());
        expect(bytes.byteLength).toBe(Number(response.headers.get("Content-Length")));
        const files = unzipSync(bytes);
        expect(Object.keys(files)).toEqual([1, 2, 3].map((at) => `image-${at}.${extension}`));
        expect(Object.values(files).map(sha256)).toEqual(
          result?.images?.map(({ formats }) => formats?.[format]?.hash),
        );
      }
    });

    it("of a story follow the pages of its book, with the tries that they name", async () => {
      const scene = (prompt: string) => ({ prompt, characters: ["Mira"] });
      const accepted = await stack.request(client.account, "POST", "/v1/generate/story", {
        model: "builtin-illustrator",
        characters: [{ name: "Mira", description: "a girl with red hair" }],
        scenes: [scene("Mira wakes up"), scene("Mira swims"), scene("Mira sleeps")],
      });
      const { id, result } = await client.untilFinal(
        accepted.headers.get("X-Service-Job-Id") ?? "",
      );
      const again = await stack.request(client.account, "POST", "/v1/generate/scene", {
        story_job_id: id,
        ...scene("Mira swims in the rain"),
      });
      const attempt = (await again.json()) as { readonly id: string; readonly image_hash: string };
      const stranger = await createClient(stack);
      const strange = await stranger.accept({ ...image, model: "builtin-illustrator" });
      await stranger.untilFinal(strange);
      const hashOf = (at: number) => result?.scenes?.[at - 1]?.image_hash;
      const archive = async (pages: unknown) => {
        const body = { book: { language: "en", pages } };
        expect((await stack.request(client.account, "PATCH", `/v1/jobs/${id}`, body)).status).toBe(
          200,
        );
        const files = unzipSync(
          new Uint8Array(await (await send("GET", `${id}/archive`)).arrayBuffer()),
        );
        return Object.entries(files)
          .filter(([name]) => !name.startsWith("portrait"))
          .map(([name, bytes]) => [name, sha256(bytes)]);
      };
      const own = [1, 2, 3].map((at) => [`scene-${at}.png`, hashOf(at)]);
      expect(
        await archive([
          { scene: 3, text: "Night" },
          { scene: 2, job_id: attempt.id },
        ]),
      ).toEqual([
        ["page-01-scene-3.png", hashOf(3)],
        ["page-02-scene-2.png", attempt.image_hash],
      ]);
      expect(await archive([{ scene: 1, job_id: strange }])).toEqual([
        ["page-01-scene-1.png", hashOf(1)],
      ]);
      for (const pages of [undefined, [], "all", [{ scene: 4 }, { text: "none" }, null]]) {
        expect(await archive(pages)).toEqual(own);
      }
    });

    it("of several jobs are in one archive, with the PNG of images that lack the format", async () => {
      const { id: single } = await make({ ...image, prompt: "Fox & Bär, at dusk!" });
      const { id: pair } = await make({ ...image, n: 2, output: { formats: [] } });
      const { id: deleted } = await make();
      await send("DELETE", `${deleted}/images`);
      const archive = (body: object, of = client) =>
        stack.request(of.account, "POST", "/v1/jobs/archive", body);
      const response = await archive({
        job_ids: [single.toUpperCase(), deleted, pair, single],
        format: "webp",
      });
      expect(response.status).toBe(200);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(bytes.byteLength).toBe(Number(response.headers.get("Content-Length")));
      const folder = `003-${image.prompt
        .toLowerCase()
        .replaceAll(/[^a-z]+/g, "-")
        .slice(0, 48)}`;
      expect(Object.keys(unzipSync(bytes))).toEqual([
        "001-fox-bär-at-dusk.webp",
        `${folder}/image-1.png`,
        `${folder}/image-2.png`,
      ]);

      expect(await readError(await archive({ job_ids: [deleted] }))).toMatchObject({
        error: "file_not_found",
      });
      const strange = await archive({ job_ids: [single] }, await createClient(stack));
      expect([strange.status, await readError(strange)]).toMatchObject([
        404,
        { error: "job_not_found" },
      ]);
      for (const body of [{}, { job_ids: [] }, { job_ids: [single], format: "gif" }]) {
        expect((await archive(body)).status).toBe(400);
      }
    });

    it("of several jobs are refused before anything is sent when they have more than 2 GB", async () => {
      const { id } = await make();
      const bytes = maxArchiveBytes + 1;
      await stack.database.query(
        `WITH large AS (
           UPDATE image SET size_bytes = $2
            WHERE format = 'png' AND render_id IN (SELECT id FROM render WHERE generation_id = $1))
         UPDATE generation SET result = NULL WHERE id = $1`,
        [id, bytes],
      );
      const response = await stack.request(client.account, "POST", "/v1/jobs/archive", {
        job_ids: [id],
      });
      expect([response.status, await readError(response)]).toMatchObject([
        400,
        { error: "invalid_request", message: expect.stringContaining("at most 2.0 GB") },
      ]);
    });

    it("are refused for another account, an unknown format and an unfinished job", async () => {
      const { id } = await make();
      const other = await createClient(stack);
      expect((await send("GET", `${id}/archive`, other)).status).toBe(404);
      expect((await send("GET", `${id}/archive?format=gif`)).status).toBe(400);
      expect((await send("GET", `${id}/archive?size=1`)).status).toBe(400);
    });
  });

  it("find their job by any of their hashes, with the other filters, in its own account only", async () => {
    const { id, result } = await make({ ...image, n: 2 });
    const hashes = [
      result?.image_hash,
      result?.images?.[1]?.formats?.webp?.hash,
      result?.images?.[1]?.formats?.jpeg?.hash.toUpperCase(),
    ];
    const found = async (query: string, of = client) =>
      (await of.list(`?${query}`)).jobs.map((one) => one.id);
    for (const hash of hashes) expect(await found(`hash=${hash}`)).toEqual([id]);
    const [hash] = hashes;
    expect(await found(`hash=${hash}&q=lighthouse&model=fake-blind&status=completed`)).toEqual([
      id,
    ]);
    expect(await found(`hash=${hash}&q=harbour`)).toEqual([]);
    expect(await found(`hash=${hash}&status=failed`)).toEqual([]);
    expect(await found(`hash=${hash}&mode=test`)).toEqual([]);
    expect(await found(`hash=${sha256(new Uint8Array())}`)).toEqual([]);
    expect(await found(`hash=${hash}`, await createClient(stack))).toEqual([]);
    expect((await stack.request(client.account, "GET", "/v1/jobs?hash=abc")).status).toBe(400);
  });

  describe("deleted early", () => {
    it("have no URLs any more, while the hashes stay", async () => {
      const before = await make({ ...image, n: 2 });
      const response = await send("DELETE", `${before.id}/images`);
      expect(response.status).toBe(200);
      const after = job.parse(await response.json());
      expect(after).toMatchObject({ status: "completed", cost_eur: "0.10" });
      expect(after.result?.image_hashes).toEqual(before.result?.image_hashes);
      for (const name of ["image_url", "image_urls", "formats"]) {
        expect(after.result).not.toHaveProperty(name);
      }
      for (const url of before.result?.image_urls ?? []) {
        expect((await fetch(url)).status).toBe(404);
      }
      const archive = await send("GET", `${before.id}/archive`);
      expect(await readError(archive)).toMatchObject({ error: "file_not_found" });
      expect((await send("DELETE", `${before.id}/images`)).status).toBe(200);
    });

    it("are not deleted for another account", async () => {
      const { id, result } = await make();
      const other = await createClient(stack);
      expect((await send("DELETE", `${id}/images`, other)).status).toBe(404);
      expect((await fetch(result?.image_url ?? "")).status).toBe(200);
    });
  });
});
