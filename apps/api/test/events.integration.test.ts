import { createKey, revokeKey } from "@atelier/accounts";
import { accountEvents, recordEvents } from "@atelier/events";
import { startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startSecondApi } from "./support/second-api.ts";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { openStream, type OpenStream, type ReceivedEvent } from "./support/event-stream.ts";
import { holdCalls } from "./support/hold-calls.ts";

const story = {
  model: "fake-blind",
  characters: [{ name: "Mira", description: "a girl with red hair" }],
  scenes: [{ prompt: "Mira wakes up" }, { prompt: "Mira goes out" }],
};

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: { WORKER_LANES: "builtin,fake-blind", SWEEP_INTERVAL_SECONDS: "0.3" },
  });
  client = await createClient(stack);
});

afterAll(() => stack.stop());

const follow = (path: string, lastEventId?: string, account = client.account) =>
  openStream(stack, account, path, lastEventId);
const followJob = (jobId: string, lastEventId?: string) =>
  follow(`/v1/jobs/${jobId}/events`, lastEventId);
const types = (events: readonly ReceivedEvent[]) => events.map(({ type }) => type);

async function tell(): Promise<string> {
  const response = await stack.request(client.account, "POST", "/v1/generate/story", story);
  return ((await response.json()) as { job_id: string }).job_id;
}

describe("GET /v1/jobs/{id}/events", () => {
  it("sends every change of a story and ends after its final state", async () => {
    const held = holdCalls(stack.provider);
    const jobId = await tell();
    const stream = await followJob(jobId);
    const [first] = [await stream.next()];
    held.release();
    const events = [first, ...(await stream.rest())].filter((event) => event !== null);
    expect(stream.response.headers.get("Content-Type")).toBe("text/event-stream");
    expect(stream.response.headers.get("Cache-Control")).toBe("no-store, no-transform");
    const images = types(events).filter((type) => type === "job.image_completed");
    expect(images).toHaveLength(3);
    expect(types(events).at(-1)).toBe("job.completed");
    const drawn = events.find(({ type }) => type === "job.image_completed")?.job.renders ?? [];
    expect(drawn.map(({ role, scene }) => [role, scene])).toEqual([
      ["portrait", undefined],
      ["scene", 1],
      ["scene", 2],
    ]);
    expect(drawn[0]).toMatchObject({ name: "Mira", status: "completed" });
    const thumbnail = await fetch(drawn[0]?.thumbnail_url ?? "");
    expect(thumbnail.headers.get("Content-Type")).toBe("image/webp");
    expect(events.at(-1)?.job.result?.scenes?.[0]?.thumbnail_url).toBeTypeOf("string");
    expect(events.at(-1)?.job).toMatchObject({ id: jobId, status: "completed" });
    expect(events.at(-1)?.job.result?.scenes).toHaveLength(2);
  });

  it("sends the final state of a job that is already final, then tells the client not to return", async () => {
    const jobId = await client.accept();
    await client.untilFinal(jobId);
    const events = await (await followJob(jobId)).rest();
    expect(types(events)).toEqual(["job.completed"]);
    const again = await followJob(jobId, events[0]?.id);
    expect(again.response.status).toBe(204);
  });

  it("resumes after any event without a gap or a repetition", async () => {
    const jobId = await tell();
    await client.untilFinal(jobId);
    const all = await (await followJob(jobId, "0")).rest();
    expect(types(all)).toEqual([
      "job.updated",
      "job.updated",
      ...Array.from({ length: 3 }, () => "job.image_completed"),
      "job.completed",
    ]);
    for (const [index, { id }] of all.slice(0, -1).entries()) {
      const rest = await (await followJob(jobId, id)).rest();
      expect(rest.map((event) => event.id)).toEqual(all.slice(index + 1).map((event) => event.id));
    }
  });

  it("sends progress that the engine reports, in no other stream and not again", async () => {
    const finished = Promise.withResolvers<void>();
    stack.provider.behave(() => ({
      kind: "image",
      progress: { step: 7, of: 20, until: finished.promise },
    }));
    const stranger = await createClient(stack);
    const others = await follow("/v1/events", undefined, stranger.account);
    const all = await follow("/v1/events");
    const jobId = await client.accept();
    const stream = await followJob(jobId);
    const progress = { render: 0, progress: 0.35, step: 7, of: 20 };
    const { progress: shown } = await eventually(
      () => client.read(jobId),
      (job) => job.progress !== undefined,
    );
    expect(shown).toEqual(progress);
    stack.provider.behave(() => ({ kind: "image" }));
    finished.resolve();
    expect(types(await stream.rest()).at(-1)).toBe("job.completed");
    while ((await all.next())?.type !== "job.completed");
    expect(all.progress).toEqual([{ job_id: jobId, ...progress }]);
    expect(await client.read(jobId)).not.toHaveProperty("progress");
    const replayed = await followJob(jobId, "0");
    await replayed.rest();
    await stranger.generate();
    while ((await others.next())?.type !== "job.completed");
    expect([replayed.progress, others.progress]).toEqual([[], []]);
    await Promise.all([all.close(), others.close()]);
  });

  it("follows a failure and a cancellation", async () => {
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    const refused = await client.generate(image);
    stack.provider.behave(() => ({ kind: "image" }));
    const failed = refused.headers.get("X-Service-Job-Id") ?? "";
    expect(types(await (await followJob(failed, "0")).rest()).at(-1)).toBe("job.failed");
    const pending = await client.accept({ ...image, model: "fake-resumable" });
    const stream = await followJob(pending);
    expect(await stream.next()).toMatchObject({ type: "job.updated", job: { status: "pending" } });
    await client.cancel(pending);
    expect(types(await stream.rest())).toEqual(["job.cancelled"]);
  });

  it("shows the thumbnails of a story until it fails, and then removes them", async () => {
    const shown = Promise.withResolvers<void>();
    stack.provider.behave(async ({ prompt }) => {
      if (!prompt.includes("Mira goes out")) return { kind: "image" };
      await shown.promise;
      return { kind: "refuse", categories: ["violence"] };
    });
    const stream = await followJob(await tell());
    let url: string | undefined;
    while (url === undefined) {
      const event = await stream.next();
      url = event?.job.renders?.find(({ thumbnail_url }) => thumbnail_url)?.thumbnail_url;
    }
    const thumbnail = url;
    expect((await fetch(thumbnail)).status).toBe(200);
    shown.resolve();
    const last = (await stream.rest()).at(-1);
    stack.provider.behave(() => ({ kind: "image" }));
    expect(last?.type).toBe("job.failed");
    expect(last?.job.renders?.map(({ thumbnail_url }) => thumbnail_url)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(JSON.stringify(await client.read(last?.job.id ?? ""))).not.toContain("thumbnail_url");
    await eventually(
      async () => (await fetch(thumbnail)).status,
      (status) => status === 404,
    );
  });

  it("refuses ids of other accounts like unknown ids, and a malformed Last-Event-ID", async () => {
    const stranger = await createClient(stack);
    const jobId = await client.accept();
    const { response } = await follow(`/v1/jobs/${jobId}/events`, undefined, stranger.account);
    expect((await readError(response)).error).toBe("job_not_found");
    const malformed = await followJob(jobId, "9223372036854775808");
    expect((await readError(malformed.response)).error).toBe("invalid_request");
  });
});

/** The events of the job of a response, up to its completion. Reads those of other jobs as well. */
async function untilCompleted(stream: OpenStream, response: Response): Promise<ReceivedEvent[]> {
  const jobId = response.headers.get("X-Service-Job-Id");
  const received: ReceivedEvent[] = [];
  while (received.at(-1)?.type !== "job.completed") {
    const event = await stream.next();
    if (event === null) throw new Error("the stream has ended");
    if (event.job.id === jobId) received.push(event);
  }
  return received;
}

describe("GET /v1/events", () => {
  it("sends the events of all jobs from now on, and resumes after the last one received", async () => {
    const stream = await follow("/v1/events");
    const first = await client.generate();
    const received = await untilCompleted(stream, first);
    await stream.close();
    expect(types(received)).toEqual([
      "job.updated",
      "job.updated",
      "job.image_completed",
      "job.completed",
    ]);

    const second = await client.generate();
    const resumed = await follow("/v1/events", received.at(-1)?.id);
    expect(types(await untilCompleted(resumed, second))).toEqual(types(received));
    await resumed.close();
  });

  it("begins with stream.gap when the event of Last-Event-ID is not kept any more", async () => {
    const absent = await createClient(stack);
    await absent.cancel(await absent.accept({ ...image, model: "fake-resumable" }));
    const [lost, kept] = await stack.database.query<{ id: bigint }>(
      "SELECT id FROM event WHERE account_id = $1 ORDER BY id",
      [absent.account.accountId],
    );
    await stack.database.query("DELETE FROM event WHERE id = $1", [lost?.id]);
    const headers = { "Last-Event-ID": String(lost?.id) };
    const { body } = await stack.request(absent.account, "GET", "/v1/events", undefined, headers);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("event: job.")) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    expect(text).toMatch(/^retry: 2000\n\nevent: stream\.gap\ndata: \{"message":".+"\}\n\nid: /);
    expect(text).toContain(`id: ${kept?.id}\nevent: job.cancelled\n`);
  });

  it("replays more events than one page of reads, in order and without a gap", async () => {
    const absent = await createClient(stack);
    const waiting = { ...image, model: "fake-resumable" };
    for (let count = 0; count < 70; count++) {
      await absent.cancel(await absent.accept(waiting));
    }
    const written = await stack.database.query<{ id: bigint }>(
      "SELECT id FROM event WHERE account_id = $1 ORDER BY id",
      [absent.account.accountId],
    );
    expect(written).toHaveLength(140);
    const [first, ...missed] = written.map(({ id }) => String(id));
    const stream = await follow("/v1/events", first, absent.account);
    const replayed: (string | undefined)[] = [];
    while (replayed.length < missed.length) replayed.push((await stream.next())?.id);
    expect(replayed).toEqual(missed);
    await absent.accept(waiting);
    expect(await stream.next()).toMatchObject({ type: "job.updated", job: { status: "pending" } });
    await stream.close();
  });

  it("is not delayed by accounts that do not read their replay", async () => {
    const silent = await createClient(stack);
    await stack.database.query(
      `WITH ${recordEvents(
        `SELECT $1::uuid AS account_id, NULL::uuid AS generation_id, 'account.balance_low' AS type,
                $2 AS data FROM generate_series(1, 200)`,
        accountEvents,
      )} SELECT`,
      [silent.account.accountId, JSON.stringify({ text: "x".repeat(100_000) })],
    );
    const unread = await Promise.all(
      Array.from({ length: 5 }, () => follow("/v1/events", "0", silent.account)),
    );
    const stream = await follow("/v1/events");
    const seen = await untilCompleted(stream, await client.generate());
    expect(types(seen).at(-1)).toBe("job.completed");
    for (const open of [...unread, stream]) await open.close();
  });

  it("has no prompt of a changed image, nor has the stream of the job", async () => {
    const model = "builtin-illustrator";
    const original = await client.accept({ model, prompt: "a boat on a lake" });
    await client.untilFinal(original);
    const edit = { model, prompt: "at night", image: { job_id: original } };
    const all = await follow("/v1/events");
    const edited = await stack.request(client.account, "POST", "/v1/generate/edit", edit);
    const events = await untilCompleted(all, edited);
    await all.close();
    const jobId = edited.headers.get("X-Service-Job-Id") ?? "";
    const source = { job_id: original, image: 0, prompt: "a boat on a lake" };
    expect((await client.read(jobId)).source).toEqual(source);
    const current = await (await followJob(jobId)).rest();
    const replayed = await (await followJob(jobId, "0")).rest();
    for (const { job } of [...events, ...current, ...replayed]) {
      expect(job.source).toEqual({ ...source, prompt: null });
    }
    expect(current).toHaveLength(1);
    expect(replayed).toHaveLength(events.length);
  });

  it("shows a key without the scope read its own jobs only", async () => {
    const { accountId } = client.account;
    const pepper = stack.environment["KEY_PEPPER"] ?? "";
    const limited = await createKey(stack.database, {
      accountId,
      name: "limited",
      pepper,
      scopes: ["generate"],
    });
    const stream = await follow("/v1/events", undefined, { ...client.account, ...limited });
    await client.generate();
    const own = await stack.request(limited, "POST", "/v1/generate/image", image);
    const event = await stream.next();
    await stream.close();
    expect(event?.job.id).toBe(own.headers.get("X-Service-Job-Id"));
    await revokeKey(stack.database, limited.id);
    const refused = await follow("/v1/events", undefined, { ...client.account, ...limited });
    expect(refused.response.status).toBe(401);
  });

  it("ends when the server stops, and continues at another one", async () => {
    const { url, program } = await startSecondApi(stack, {});
    const stream = await openStream({ ...stack, url }, client.account, "/v1/events");
    await client.generate();
    const received = await stream.next();
    await program.stop();
    const [last = received] = (await stream.rest()).slice(-1);
    await client.generate();
    const resumed = await follow("/v1/events", last?.id);
    expect(await resumed.next()).not.toBeNull();
    await resumed.close();
  });
});
