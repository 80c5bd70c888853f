import { job, type Job } from "@atelier/schemas";
import { collection, collectionList, preset, presetList } from "@atelier/schemas/endpoints";
import { describeStacks, shareStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSecondApi } from "./support/second-api.ts";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { holdCalls } from "./support/hold-calls.ts";

const story = {
  model: "fake-blind",
  characters: [{ name: "Mira", description: "a girl with red hair" }],
  scenes: [{ prompt: "Mira wakes up" }, { prompt: "Mira goes out" }],
};

const ids = (page: { jobs: { id: string }[] }) => page.jobs.map(({ id }) => id);

const pngOf = async (read: () => Promise<Pick<Job, "result">>) => {
  const png = (await read()).result?.formats?.png;
  if (png === undefined) throw new Error("the job has no PNG");
  return png;
};

const statusOf = async (url: string | URL) => {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
};

const parameter = (url: URL, pattern: RegExp) =>
  [...url.searchParams.keys()].find((name) => pattern.test(name)) ?? "";

describe("GET /v1/jobs", () => {
  let stack: Stack;
  let client: Client;
  /** Oldest first. */
  const accepted: string[] = [];

  beforeAll(async () => {
    stack = await shareStack({ workers: 0 });
    client = await createClient(stack);
    for (let sent = 0; sent < 7; sent++) accepted.push(await client.accept());
  });

  afterAll(() => stack.stop());

  it("lists the newest first", async () => {
    const page = await client.list();
    expect(ids(page)).toEqual(accepted.toReversed());
    expect(page.next_cursor).toBeNull();
  });

  it("has stable pages while jobs are added and cancelled", async () => {
    const expected = accepted.toReversed();
    const first = await client.list("?limit=3");
    expect(ids(first)).toEqual(expected.slice(0, 3));
    accepted.push(await client.accept(), await client.accept());
    const second = await client.list(`?limit=3&cursor=${first.next_cursor}`);
    expect(ids(second)).toEqual(expected.slice(3, 6));
    // The cursor does not depend on the job it was created from.
    expect((await client.cancel(expected[5] ?? "")).status).toBe(200);
    const last = await client.list(`?limit=3&cursor=${second.next_cursor}`);
    expect(ids(last)).toEqual(expected.slice(6));
    expect(last.next_cursor).toBeNull();
    const again = await client.list(`?limit=3&cursor=${first.next_cursor}`);
    expect(ids(again)).toEqual(ids(second));
  });

  it("has no next page when the last one is exactly full", async () => {
    const page = await client.list(`?limit=${accepted.length}`);
    expect(page.jobs).toHaveLength(accepted.length);
    expect(page.next_cursor).toBeNull();
  });

  it("filters by status and kind, over all pages", async () => {
    const other = await createClient(stack);
    const response = await stack.request(other.account, "POST", "/v1/generate/story", story);
    expect(response.status).toBe(202);
    const storyId = response.headers.get("X-Service-Job-Id") ?? "";
    const images = [await other.accept(), await other.accept(), await other.accept()];
    const [cancelled = "", ...pending] = images;
    await other.cancel(cancelled);

    expect(ids(await other.list("?kind=story"))).toEqual([storyId]);
    expect(ids(await other.list("?kind=image"))).toEqual(images.toReversed());
    expect(ids(await other.list("?status=cancelled"))).toEqual([cancelled]);
    expect(ids(await other.list("?status=completed"))).toEqual([]);
    expect(ids(await other.list("?status=cancelled&kind=story"))).toEqual([]);
    const first = await other.list("?status=pending&kind=image&limit=1");
    const second = await other.list(
      `?status=pending&kind=image&limit=1&cursor=${first.next_cursor}`,
    );
    expect([...ids(first), ...ids(second)]).toEqual(pending.toReversed());
    expect(second.next_cursor).toBeNull();
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=1.5", "limit"],
    ["limit=many", "limit"],
    ["limit=1&limit=2", "limit"],
    ["limit=", "limit"],
    ["cursor=nonsense", "cursor"],
    ["cursor=", "cursor"],
    [`cursor=${Buffer.from("' OR 1=1 --").toString("base64url")}`, "cursor"],
    ["status=done", "status"],
    ["kind=video", "kind"],
    ["page=2", "page"],
  ])("refuses ?%s, and names %s", async (query, path) => {
    const response = await stack.request(client.account, "GET", `/v1/jobs?${query}`);
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({
      error: "invalid_request",
      details: [expect.objectContaining({ path })],
    });
  });

  it("shows and finds what the account noted on a job, for keys that may read it", async () => {
    const other = await createClient(stack);
    const [first, second] = [await other.accept(), await other.accept()];
    const change = (body: object, of: Pick<Client, "account"> = other) =>
      stack.request(of.account, "PATCH", `/v1/jobs/${first}`, body);
    const book = { title: "At sea", language: "en", cover: 1, pages: [{ scene: 1, text: "…" }] };
    const response = await change({ title: " The harbour ", starred: true, book });
    expect(response.status).toBe(200);
    const noted = { id: first, title: "The harbour", starred: true };
    expect(job.parse(await response.json())).toMatchObject({ ...noted, book });
    expect(await other.read(first)).toMatchObject({ ...noted, book });
    expect(await other.read(second)).toMatchObject({ title: null, starred: false, book: null });
    for (const query of ["?starred=true", "?q=harbour&starred=true", "?q=harbour"]) {
      expect((await other.list(query)).jobs).toMatchObject([noted]);
    }
    expect(ids(await other.list("?starred=true&status=failed"))).toEqual([]);
    expect(ids(await client.list("?starred=true"))).toEqual([]);
    expect((await change({ starred: true }, client)).status).toBe(404);
    for (const body of [
      { title: "" },
      { title: "x".repeat(201) },
      { starred: null },
      { book: [] },
      { book: { text: "x".repeat(100_000) } },
      { tags: [] },
    ]) {
      expect((await change(body)).status).toBe(400);
    }
    const minted = await stack.request(other.account, "POST", "/v1/keys", {
      name: "reader",
      scopes: ["read"],
    });
    const reader = { account: { ...other.account, ...((await minted.json()) as { key: string }) } };
    expect((await change({ starred: false }, reader)).status).toBe(403);
    expect((await stack.request(other.account, "GET", "/v1/jobs?starred=false")).status).toBe(400);
  });

  it("lists the jobs of a collection, of the mode and account of the key only", async () => {
    const other = await createClient(stack);
    const ask = (method: string, path: string, body?: object, of = other.account) =>
      stack.request(of, method, `/v1/collections${path}`, body);
    const [first, second] = [await other.accept(), await other.accept()];
    const created = await ask("POST", "", { name: " Covers of May " });
    expect(created.status).toBe(201);
    const made = collection.parse(await created.json());
    expect(made).toMatchObject({ name: "Covers of May", jobs: 0 });
    expect((await ask("POST", "", { name: made.name })).status).toBe(200);
    const changed = await ask("PATCH", `/${made.id}`, { add: [first, second] });
    expect(collection.parse(await changed.json())).toEqual({ ...made, jobs: 2 });
    expect(await (await ask("GET", `/${made.id}`)).json()).toEqual({ ...made, jobs: 2 });
    const page = collectionList.parse(await (await ask("GET", "")).json());
    expect(page).toEqual({ collections: [{ ...made, jobs: 2 }], next_cursor: null });
    expect(ids(await other.list(`?collection=${made.id}`))).toEqual([second, first]);
    expect(ids(await other.list(`?collection=${made.id}&limit=1`))).toEqual([second]);
    expect(ids(await client.list(`?collection=${made.id}`))).toEqual([]);
    expect((await ask("GET", `/${made.id}`, undefined, client.account)).status).toBe(404);
    const mint = async (body: object) => {
      const minted = await stack.request(other.account, "POST", "/v1/keys", { name: "x", ...body });
      return { ...other.account, ...((await minted.json()) as { key: string }) };
    };
    const tester = await mint({ mode: "test" });
    expect((await ask("GET", `/${made.id}`, undefined, tester)).status).toBe(404);
    for (const scopes of [["generate"], ["read"]]) {
      const key = await mint({ scopes });
      expect((await ask("PATCH", `/${made.id}`, { remove: [first] }, key)).status).toBe(403);
    }
    expect((await ask("PATCH", `/${made.id}`, { add: ["none"] })).status).toBe(400);
    expect((await ask("DELETE", `/${made.id}`)).status).toBe(204);
    expect((await ask("DELETE", `/${made.id}`)).status).toBe(404);
    expect(ids(await other.list(`?collection=${made.id}`))).toEqual([]);
    expect(ids(await other.list())).toEqual([second, first]);
  });

  it("takes the properties of presets, which are of the mode and account of the key only", async () => {
    const other = await createClient(stack);
    const ask = (method: string, path: string, body?: object, of = other.account) =>
      stack.request(of, method, `/v1/presets${path}`, body);
    const body = { name: "Cover", operation: "image", request: { ...image, n: 2 } };
    const created = await ask("POST", "", body);
    expect(created.status).toBe(201);
    const saved = preset.parse(await created.json());
    expect(saved).toMatchObject(body);
    const replaced = await ask("POST", "", { ...body, request: image });
    expect(replaced.status).toBe(200);
    const now = preset.parse(await replaced.json());
    expect(now).toMatchObject({ id: saved.id, request: image });
    expect(await (await ask("GET", `/${saved.id}`)).json()).toEqual(now);
    const page = presetList.parse(await (await ask("GET", "")).json());
    expect(page).toEqual({ presets: [now], next_cursor: null });
    await other.accept(now.request);
    expect((await ask("GET", `/${saved.id}`, undefined, client.account)).status).toBe(404);
    const mint = async (wanted: object) => {
      const minted = await stack.request(other.account, "POST", "/v1/keys", {
        name: "x",
        ...wanted,
      });
      return { ...other.account, ...((await minted.json()) as { key: string }) };
    };
    expect((await ask("GET", `/${saved.id}`, undefined, await mint({ mode: "test" }))).status).toBe(
      404,
    );
    for (const scopes of [["generate"], ["read"]]) {
      expect((await ask("POST", "", body, await mint({ scopes }))).status).toBe(403);
    }
    for (const wrong of [
      { operation: "video" },
      { request: [] },
      { request: { x: "x".repeat(40_000) } },
    ]) {
      expect((await ask("POST", "", { ...body, ...wrong })).status).toBe(400);
    }
    expect((await ask("DELETE", `/${saved.id}`)).status).toBe(204);
    expect((await ask("DELETE", `/${saved.id}`)).status).toBe(404);
  });

  it("finds the jobs of a request by its id, in its own account only", async () => {
    const other = await createClient(stack);
    const requestId = `order:${crypto.randomUUID()}`;
    const sent = { Prefer: "respond-async", "X-Request-Id": requestId };
    const response = await client.generate(image, sent);
    const jobId = response.headers.get("X-Service-Job-Id");
    expect(response.headers.get("X-Request-Id")).toBe(requestId);
    accepted.push(jobId ?? "");
    expect(ids(await client.list(`?request_id=${requestId}`))).toEqual([jobId]);
    expect(ids(await client.list(`?request_id=${requestId}&status=completed`))).toEqual([]);
    expect(ids(await client.list("?request_id=another"))).toEqual([]);
    expect(ids(await other.list(`?request_id=${requestId}`))).toEqual([]);
  });

  it("returns twenty jobs per page by default", async () => {
    const other = await createClient(stack);
    for (let sent = 0; sent < 21; sent++) await other.accept();
    const page = await other.list();
    expect(page.jobs).toHaveLength(20);
    expect((await other.list(`?cursor=${page.next_cursor}`)).jobs).toHaveLength(1);
  });

  it("accepts limits of 1 and 100", async () => {
    expect((await client.list("?limit=1")).jobs).toHaveLength(1);
    expect((await client.list("?limit=100")).jobs).toHaveLength(accepted.length);
  });
});

describeStacks("jobs", { workers: 0 }, (stackOf) => {
  let stack: Stack;

  beforeAll(() => {
    stack = stackOf();
  });

  describe("that no worker has started", () => {
    it("hold their price and release it when they are cancelled", async () => {
      const client = await createClient(stack);
      const jobId = await client.accept();
      expect(await client.money()).toEqual({ balance_eur: "9.95", held_eur: "0.05" });
      await client.accept();
      expect(await client.money()).toEqual({ balance_eur: "9.90", held_eur: "0.10" });
      expect(await client.read(jobId)).toMatchObject({
        status: "pending",
        started_at: null,
        completed_at: null,
        cost_eur: "0.00",
        result: null,
        error: null,
      });

      const response = await client.cancel(jobId);
      expect(response.status).toBe(200);
      const cancelled = await client.read(jobId);
      expect(await response.json()).toEqual(cancelled);
      expect(cancelled).toMatchObject({
        status: "cancelled",
        cost_eur: "0.00",
        result: null,
        error: null,
        completed_at: expect.any(String),
      });
      expect(await client.money()).toEqual({ balance_eur: "9.95", held_eur: "0.05" });

      const again = await client.cancel(jobId);
      expect(again.status).toBe(409);
      expect(await readError(again)).toMatchObject({
        error: "job_not_cancellable",
        details: { status: "cancelled" },
      });
      expect(await client.money()).toEqual({ balance_eur: "9.95", held_eur: "0.05" });
    });

    it("are never started after they are cancelled", async () => {
      const client = await createClient(stack);
      const cancelled = await client.accept({ ...image, prompt: "never to be made" });
      await client.cancel(cancelled);
      const next = await client.accept({ ...image, prompt: "to be made" });
      await stack.startWorker();
      expect(await client.untilFinal(next)).toMatchObject({ status: "completed" });
      expect(await client.read(cancelled)).toMatchObject({ status: "cancelled" });
      expect(stack.provider.calls.map(({ prompt }) => prompt)).not.toContain("never to be made");
    });
  });

  describe("with a worker", () => {
    it("are identical in the list and when read alone", async () => {
      const client = await createClient(stack);
      const jobId = await client.accept();
      await client.untilFinal(jobId);
      const [listed] = (await client.list()).jobs;
      expect(listed).toMatchObject({
        id: jobId,
        status: "completed",
        cost_eur: "0.05",
        error: null,
        result: {
          id: jobId,
          cost_eur: "0.05",
          balance_eur: "9.95",
          image_url: expect.any(String),
          image_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      });
      expect(Object.keys(listed?.result?.formats ?? {})).toEqual(["png", "jpeg", "webp"]);
      const times = [listed?.created_at, listed?.started_at, listed?.completed_at];
      expect(times.map((time) => Date.parse(time ?? ""))).toEqual(
        times.map((time) => Date.parse(time ?? "")).toSorted((a, b) => a - b),
      );
      expect(times).not.toContain(null);
    });

    it("cannot be cancelled while an image is being made or after completion", async () => {
      const client = await createClient(stack);
      const held = holdCalls(stack.provider);
      const jobId = await client.accept();
      await held.called;
      const processing = await client.cancel(jobId);
      expect(processing.status).toBe(409);
      expect((await readError(processing)).details).toEqual({ status: "processing" });
      held.release();
      expect(await client.untilFinal(jobId)).toMatchObject({ status: "completed" });
      const completed = await client.cancel(jobId);
      expect(completed.status).toBe(409);
      expect((await readError(completed)).details).toEqual({ status: "completed" });
      expect(await client.money()).toEqual({ balance_eur: "9.95", held_eur: "0.00" });
      stack.provider.behave(() => ({ kind: "image" }));
    });

    it("end either cancelled or completed when both race, with matching money", async () => {
      const client = await createClient(stack);
      const races = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const jobId = await client.accept();
          // A varying number of reads shifts the cancellation to a different point of the job's life.
          for (let reads = 0; reads < index % 5; reads++) await client.read(jobId);
          const { status } = await client.cancel(jobId);
          expect([200, 409]).toContain(status);
          const final = await client.untilFinal(jobId);
          expect(final.status).toBe(status === 200 ? "cancelled" : "completed");
          return final;
        }),
      );
      const completed = races.filter(({ status }) => status === "completed").length;
      expect(await client.money()).toEqual({
        balance_eur: ((1_000 - 5 * completed) / 100).toFixed(2),
        held_eur: "0.00",
      });
      const ends = await stack.database.query<{ id: string; kinds: string }>(
        `SELECT generation_id AS id, string_agg(kind::text, ' ' ORDER BY id) AS kinds
           FROM ledger_transfer WHERE account_id = $1 AND generation_id IS NOT NULL
          GROUP BY generation_id`,
        [client.account.accountId],
      );
      expect(new Map(ends.map(({ id, kinds }) => [id, kinds]))).toEqual(
        new Map(
          races.map(({ id, status }) => [
            id,
            status === "completed" ? "hold settle" : "hold release",
          ]),
        ),
      );
    });
  });

  describe("and their URLs", () => {
    let client: Client;
    let jobId: string;

    beforeAll(async () => {
      client = await createClient(stack);
      jobId = await client.accept();
      await client.untilFinal(jobId);
    });

    const readPng = () => pngOf(() => client.read(jobId));

    it("are signed anew on every read while the hash stays the same", async () => {
      const first = await readPng();
      // Whole seconds: at a full second, another signature can end at the same time.
      const later = await eventually(readPng, (png) => png.expires_at > first.expires_at);
      expect(later.url).not.toBe(first.url);
      expect(later.hash).toBe(first.hash);
      expect([await statusOf(first.url), await statusOf(later.url)]).toEqual([200, 200]);
      const listed = await pngOf(async () => {
        const [newest] = (await client.list()).jobs;
        if (newest === undefined) throw new Error("the list is empty");
        return newest;
      });
      expect(listed.hash).toBe(first.hash);
      expect(await statusOf(listed.url)).toBe(200);
    });

    it("expire, and the job then returns new ones", async () => {
      const { url: shortUrl, program } = await startSecondApi(stack, { URL_LIFE_SECONDS: "2" });
      const response = await fetch(`${shortUrl}/v1/jobs/${jobId}`, {
        headers: { "X-API-Key": client.account.key },
      });
      const { result } = job.parse(await response.json());
      const { url = "", expires_at = "" } = result?.formats?.png ?? {};
      expect(await statusOf(url)).toBe(200);
      expect(
        await eventually(
          () => statusOf(url),
          (status) => status !== 200,
        ),
      ).toBe(403);
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
      expect(await statusOf((await readPng()).url)).toBe(200);
      expect(await program.stop()).toBe(0);
    });

    it("are refused when any part was modified", async () => {
      const { result } = await client.read(jobId);
      const { png, jpeg } = result?.formats ?? {};
      const changed = (change: (url: URL) => void) => {
        const url = new URL(png?.url ?? "");
        change(url);
        return statusOf(url);
      };
      expect(await changed(() => undefined)).toBe(200);
      expect(
        await changed((url) => {
          const name = parameter(url, /signature$/i);
          const value = url.searchParams.get(name) ?? "";
          url.searchParams.set(name, (value.startsWith("a") ? "b" : "a") + value.slice(1));
        }),
      ).toBe(403);
      expect(
        await changed((url) => {
          const name = parameter(url, /expires$/i);
          url.searchParams.set(name, String(Number(url.searchParams.get(name)) + 1));
        }),
      ).toBe(403);
      expect(
        await changed((url) => {
          url.pathname = new URL(jpeg?.url ?? "").pathname;
        }),
      ).toBe(403);
      expect(
        await changed((url) => {
          url.search = "";
        }),
      ).toBeGreaterThanOrEqual(400);
    });

    it("allow only GET and HEAD", async () => {
      const { url } = await pngOf(() => client.read(jobId));
      for (const method of ["PUT", "POST", "DELETE", "PATCH"]) {
        const response = await fetch(url, { method });
        await response.arrayBuffer();
        expect(response.status).toBeGreaterThanOrEqual(400);
      }
      expect(await statusOf(url)).toBe(200);
    });

    it("are omitted once the files are deleted; the hashes stay", async () => {
      const before = await client.read(jobId);
      await stack.database.query(
        `UPDATE image SET deleted_at = now() FROM render
          WHERE render.id = render_id AND generation_id = $1`,
        [jobId],
      );
      const { result } = await client.read(jobId);
      expect(result?.image_hash).toBe(before.result?.image_hash);
      expect(result).not.toHaveProperty("image_url");
      expect(result).not.toHaveProperty("formats");
    });
  });
});
