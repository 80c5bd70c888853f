import { newId, type Database } from "@atelier/database";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openFixture, type Fixture } from "../testing/fixture.ts";
import { claimChecks, dropOldServers, forgetLoad, recordJobs } from "./checks.ts";
import { givePlaceBack, resumePlace, startWaiting, takePlace, type Candidate } from "./places.ts";

let fixture: Fixture;
let database: Database;
let a: Candidate;
let b: Candidate;

beforeAll(async () => {
  fixture = await openFixture();
  ({ database } = fixture);
});
afterAll(() => fixture.close());

beforeEach(() => {
  const prefix = newId();
  a = { url: `http://a.${prefix}`, weight: 1, concurrency: 1 };
  b = { url: `http://b.${prefix}`, weight: 1, concurrency: 1 };
});

const flux = { model: "flux", loras: "" };
const sdxl = { model: "sdxl", loras: "" };
const image = { isImage: true, busyMs: 0 };
const failure = { isImage: false, busyMs: 0 };
const remainingMs = 600_000;

const take = (candidates: readonly Candidate[], needs = flux, renderId = newId(), attempt = 1) =>
  takePlace(database, { renderId, attempt, needs, candidates, remainingMs });
const giveBack = (renderId: string, attempt = 1, end = image) =>
  givePlaceBack(database, { renderId, attempt }, end);

async function readServer(url: string) {
  const [row] = await database.query<{ model: string | null; others: number; busy: boolean }>(
    `SELECT model, jobs_of_others AS others, busy_until > now() AS busy FROM engine_server
      WHERE url = $1`,
    [url],
  );
  return row;
}

describe("a place", () => {
  it("is never taken by more calls at once than the server may have, also by several workers", async () => {
    const candidates = [{ ...a, concurrency: 3 }, b];
    const places = await Promise.all(Array.from({ length: 12 }, () => take(candidates)));
    const started = (url: string) =>
      places.filter((place) => place?.url === url && place.isStarted).length;
    expect([started(a.url), started(b.url)]).toEqual([3, 1]);
    expect(places.filter((place) => place?.isStarted === false)).toHaveLength(8);
  });

  it("starts in the order of the places when calls before it end", async () => {
    const [first, second, third] = [newId(), newId(), newId()];
    for (const renderId of [first, second, third]) await take([a], flux, renderId);
    expect(await startWaiting(database, [second, third], [a])).toEqual({
      started: [],
      lost: [],
      hasFreeServer: false,
    });
    await giveBack(first);
    expect(await startWaiting(database, [third, second], [a])).toMatchObject({ started: [second] });
    expect(await startWaiting(database, [third], [a])).toMatchObject({ started: [] });
    await giveBack(second);
    expect(await startWaiting(database, [third], [a])).toMatchObject({ started: [third] });
  });

  it("starts once, although a statement is repeated whose response was lost", async () => {
    const [first, second] = [newId(), newId()];
    await take([a], flux, first);
    await take([a], flux, second);
    await giveBack(first);
    for (const run of [1, 2]) {
      const { started } = await startWaiting(database, [second], [a]);
      expect([run, started]).toEqual([run, [second]]);
    }
  });

  it("is taken again when it was lost", async () => {
    const renderId = newId();
    expect(await startWaiting(database, [renderId], [a])).toMatchObject({ lost: [renderId] });
  });

  it("keeps its turn when it is taken again at the same server", async () => {
    const [first, second, third] = [newId(), newId(), newId()];
    for (const renderId of [first, second, third]) await take([a], flux, renderId);
    expect(await take([a], flux, second)).toMatchObject({ isStarted: false });
    await giveBack(first);
    expect(await startWaiting(database, [second, third], [a])).toMatchObject({ started: [second] });
  });

  it("moves to a server that has become free", async () => {
    const [first, second, waiting] = [newId(), newId(), newId()];
    await take([a], flux, first);
    await take([b], flux, second);
    expect(await take([a], flux, waiting)).toMatchObject({ isStarted: false });
    await giveBack(second);
    expect(await take([a, b], flux, waiting)).toMatchObject({ url: b.url, isStarted: true });
  });

  it("is not given back by an earlier claim, and not taken by one", async () => {
    const renderId = newId();
    await take([a], flux, renderId, 2);
    await giveBack(renderId, 1);
    expect(await take([a])).toMatchObject({ isStarted: false });
    expect(await take([a], flux, renderId, 1)).toBeNull();
    const earlier = { renderId, attempt: 1, needs: flux, remainingMs };
    expect(await resumePlace(database, earlier, a.url)).toBe(false);
  });

  it("of a lost worker no longer counts after the deadline, and is deleted", async () => {
    const lost = newId();
    const request = { renderId: lost, attempt: 1, needs: flux, candidates: [a], remainingMs: 0 };
    await takePlace(database, request);
    expect(await take([a])).toMatchObject({ isStarted: true });
    await dropOldServers(database);
    const rows = await database.query("SELECT 1 FROM engine_place WHERE render_id = $1", [lost]);
    expect(rows).toEqual([]);
  });

  it("of a resumed call counts, although the server is full", async () => {
    await take([a]);
    const resumed = { renderId: newId(), attempt: 2, needs: flux, remainingMs };
    expect(await resumePlace(database, resumed, a.url)).toBe(true);
    expect(await take([{ ...a, concurrency: 2 }])).toMatchObject({ isStarted: false });
  });
});

describe("a server", () => {
  it("keeps its model: calls for another one go to the other server", async () => {
    const [first, second] = [newId(), newId()];
    expect(await take([a, b], flux, first)).toMatchObject({ url: a.url, loads: "model" });
    expect(await take([a, b], sdxl, second)).toMatchObject({ url: b.url, loads: "model" });
    await giveBack(first);
    await giveBack(second);
    await database.query(
      "UPDATE engine_speed SET image_ms = 1000, load_ms = 8000 WHERE url = ANY($1)",
      [[a.url, b.url]],
    );
    for (const [needs, url] of [
      [sdxl, b.url],
      [flux, a.url],
      [sdxl, b.url],
    ] as const) {
      const renderId = newId();
      expect(await take([a, b], needs, renderId)).toMatchObject({ url, loads: "nothing" });
      await giveBack(renderId);
    }
  });

  const loadOnly = { image: null, load: expect.any(Number) as number };
  const readSpeed = () =>
    database.query<Record<"image" | "load", number | null>>(
      "SELECT image_ms AS image, load_ms AS load FROM engine_speed WHERE url = $1",
      [a.url],
    );

  it("is measured by calls that return an image", async () => {
    const [loading, failing, plain] = [newId(), newId(), newId()];
    await take([a], flux, loading);
    await giveBack(loading);
    expect(await readSpeed()).toEqual([loadOnly]);
    await take([a], flux, failing);
    await giveBack(failing, 1, failure);
    expect(await readSpeed()).toMatchObject([{ image: null }]);
    await take([a], flux, plain);
    await giveBack(plain);
    expect(await readSpeed()).toMatchObject([{ image: expect.any(Number) as number }]);
  });

  it("does not measure a load as an image, whichever worker is the first to say that it is done", async () => {
    const [loading, next] = [newId(), newId()];
    for (const renderId of [loading, next]) await take([{ ...a, concurrency: 2 }], flux, renderId);
    await giveBack(next);
    expect(await readSpeed()).toEqual([]);
    await giveBack(loading);
    expect(await readSpeed()).toEqual([loadOnly]);
  });

  it("measures the load of a call that failed with the next one", async () => {
    const [loading, next] = [newId(), newId()];
    for (const renderId of [loading, next]) await take([{ ...a, concurrency: 2 }], flux, renderId);
    await giveBack(loading, 1, failure);
    await giveBack(next);
    expect(await readSpeed()).toEqual([loadOnly]);
  });

  it("that asked not to be called is chosen last", async () => {
    const renderId = newId();
    expect(await take([a, b], flux, renderId)).toMatchObject({ url: a.url });
    await giveBack(renderId, 1, { isImage: false, busyMs: 600_000 });
    expect(await readServer(a.url)).toMatchObject({ busy: true });
    expect(await take([a, b])).toMatchObject({ url: b.url });
  });

  it("has the jobs of others that its queue shows beside ours", async () => {
    await take([a]);
    await recordJobs(database, a.url, 4);
    expect(await readServer(a.url)).toMatchObject({ others: 3 });
    expect(await take([a, b])).toMatchObject({ url: b.url });
    await recordJobs(database, a.url, 1);
    expect(await readServer(a.url)).toMatchObject({ others: 0 });
  });

  it("that is gone has nothing loaded", async () => {
    await take([a]);
    expect(await readServer(a.url)).toMatchObject({ model: "flux" });
    await forgetLoad(database, a.url);
    expect(await readServer(a.url)).toMatchObject({ model: null });
  });

  it("is checked by one worker in an interval", async () => {
    const claims = await Promise.all([1, 2, 3].map(() => claimChecks(database, [a.url], 60_000)));
    expect(claims.flat()).toEqual([a.url]);
  });

  it("is forgotten with its speeds when no worker has checked it for a week", async () => {
    const renderId = newId();
    await take([a], flux, renderId);
    await giveBack(renderId);
    await database.query(
      "UPDATE engine_server SET checked_at = now() - interval '8 days' WHERE url = $1",
      [a.url],
    );
    await take([b]);
    await dropOldServers(database);
    expect(await readServer(a.url)).toBeUndefined();
    const speeds = await database.query("SELECT 1 FROM engine_speed WHERE url = $1", [a.url]);
    expect(speeds).toEqual([]);
    expect(await readServer(b.url)).toBeDefined();
  });
});
