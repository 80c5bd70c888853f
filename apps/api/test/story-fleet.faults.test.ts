import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createQueues } from "@atelier/queue";
import { assertInvariants } from "@atelier/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { createClient, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import {
  emptyRedis,
  startFleet,
  storyOf,
  untilExited,
  readFinishingProcesses,
  type Fleet,
  type RenderFacts,
  type Worker,
} from "./support/story-fleet.ts";

const redis = inject("redisUrl");

// Processes and long stories are expensive: each backend runs one kind of crash, and one of them the
// stories with ten scenes.
const backends = [
  {
    backend: "Postgres",
    redisUrl: null,
    killed: "fake-resumable",
    scenesOfTen: redis === null ? 10 : 3,
  },
  {
    backend: "Redis",
    // A Redis database that no other suite uses, since all suites share the queue names.
    redisUrl: redis === null ? "" : new URL("/7", redis).href,
    killed: "fake-blind",
    scenesOfTen: 10,
  },
].filter(({ redisUrl }) => redisUrl !== "");

/** Lock timeout of workers that are not killed, long enough for a slow machine. */
const longLocks = { WORKER_LOCK_SECONDS: "60" };

/** Options of tests that share a service and start dozens of processes. */
const oneAfterAnother = { concurrent: false, timeout: 180_000 };

// Concurrent, since much of the time is spent waiting for locks of dead workers to expire.
describe.concurrent.each(backends)(
  "stories ($backend queue)",
  ({ redisUrl, killed, scenesOfTen }) => {
    let fleet: Fleet;
    const workers: Worker[] = [];

    beforeAll(async () => {
      fleet = await startFleet(redisUrl);
    });

    async function startWorkers(count: number): Promise<void> {
      const starting = Array.from({ length: count }, () =>
        fleet.startWorker("fake-blind", longLocks),
      );
      workers.push(...(await Promise.all(starting)));
    }

    const callsFor = ({ id }: RenderFacts) =>
      fleet.stack.provider.calls.filter(({ key }) => key === id);

    afterEach(async () => {
      const { stack, storage } = fleet;
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      stack.provider.behave(() => ({ kind: "image" }));
      await assertInvariants(stack.database, storage, stack.provider.calls);
    });

    afterAll(() => fleet?.stop());

    it(
      "complete although the worker of every image is killed during its provider call",
      oneAfterAnother,
      async () => {
        const { provider, database } = fleet.stack;
        // The image is made and its request id sent before the worker is killed.
        provider.behave((call) => ({
          kind: provider.calls.find(({ key }) => key === call.key) === call ? "hang" : "image",
        }));

        const client = await createClient(fleet.stack);
        const story = storyOf({ model: killed, characters: 2, state: true, scenes: 3 });
        const jobId = await fleet.accept(client, story);
        expect(await client.money()).toEqual({ balance_eur: "9.65", held_eur: "0.35" });
        const orphans: string[] = [];
        const newCalls = () =>
          database.query<{ renderId: string }>(
            `SELECT render_id AS "renderId" FROM provider_call JOIN render ON render.id = render_id
          WHERE generation_id = $1 AND request_id IS NOT NULL AND render_id <> ALL ($2)`,
            [jobId, orphans],
          );
        for (let image = 1; image <= 7; image++) {
          const worker = await fleet.startWorker(killed);
          const calls = await eventually(newCalls, ({ length }) => length > 0);
          await worker.kill();
          orphans.push(...calls.map(({ renderId }) => renderId));
        }
        workers.push(await fleet.startWorker(killed));
        await fleet.untilFinal([jobId]);
        await expectCharged(client, [jobId], 7);

        // A call with a resumable request id is paid once. Any other call is repeated once, and the
        // outcome of the first one stays unknown.
        const outcomes = killed === "fake-resumable" ? ["image"] : ["unknown", "image"];
        const renders = await fleet.rendersOf(jobId);
        expect(renders).toHaveLength(7);
        for (const render of renders) {
          expect(render).toMatchObject({ outcomes });
          expect(callsFor(render)).toMatchObject(outcomes.map(() => ({ paid: true })));
        }
      },
    );

    it(
      "complete although every worker is killed before it dispatches the next render",
      oneAfterAnother,
      async () => {
        const failpoint = join(fleet.directory, "failpoint");
        await writeFile(failpoint, "after-finish");
        const client = await createClient(fleet.stack);
        const jobId = await fleet.accept(client, storyOf({ characters: 1, scenes: 2 }));
        for (let image = 1; image <= 4; image++) {
          await untilExited(await fleet.startWorker("fake-blind", { FAILPOINT_FILE: failpoint }));
        }
        await expectCharged(client, [jobId], 4);
        const renders = await fleet.rendersOf(jobId);
        expect(renders).toHaveLength(4);
        for (const render of renders) {
          expect(render).toMatchObject({ outcomes: ["image"] });
          expect(callsFor(render)).toMatchObject([{ paid: true }]);
        }
      },
    );

    describe("ten of two accounts, on three workers,", { concurrent: false }, () => {
      const clients: Client[] = [];
      const jobIds: string[][] = [];
      let stories: RenderFacts[][];
      let madeBy: Map<string, string>;

      beforeAll(async () => {
        const { provider } = fleet.stack;
        for (let account = 0; account < 2; account++) {
          const client = await createClient(fleet.stack);
          const accepted: string[] = [];
          for (const characters of [2, 1, 2, 1, 2] as const) {
            accepted.push(await fleet.accept(client, storyOf({ characters, scenes: scenesOfTen })));
          }
          clients.push(client);
          jobIds.push(accepted);
        }
        // Holds the responses until all three workers have called, since one may be slow to start.
        const callsBefore = provider.calls.length;
        const allCalled = Promise.withResolvers<void>();
        provider.behave(async (_call, count) => {
          if (count === callsBefore + 3) allCalled.resolve();
          await allCalled.promise;
          return { kind: "image" };
        });
        await startWorkers(3);
        await fleet.untilFinal(jobIds.flat());
        stories = await Promise.all(jobIds.flat().map((jobId) => fleet.rendersOf(jobId)));
        // A worker writes its log line after the image is stored.
        madeBy = await eventually(
          () => readFinishingProcesses(workers),
          (known) => stories.flat().every(({ id }) => known.has(id)),
        );
      }, oneAfterAnother.timeout);

      it("complete and cost what was held", oneAfterAnother, async () => {
        for (const [index, client] of clients.entries()) {
          // Eight portraits, five locations and the scenes.
          await expectCharged(client, jobIds[index] ?? [], 13 + 5 * scenesOfTen);
        }
        expect(clients).toHaveLength(2);
      });

      it("keep the order of their scenes", oneAfterAnother, () => {
        const calledKeys = fleet.stack.provider.calls.map(({ key }) => key);
        for (const story of stories) {
          const scenes = scenesOf(story);
          expect(scenes).toHaveLength(scenesOfTen);
          for (const [index, scene] of scenes.entries()) {
            const before = index === 0 ? referencesOf(story) : scenes.slice(0, index);
            expect(scene.calledAt.getTime()).toBeGreaterThanOrEqual(lastEndOf(before));
          }
          // The provider received the same calls.
          const ids = scenes.map(({ id }) => id);
          expect(calledKeys.filter((key) => ids.includes(key))).toEqual(ids);
        }
      });

      it("have portraits made by several workers concurrently", oneAfterAnother, () => {
        expect(new Set(stories.flat().map(({ id }) => madeBy.get(id))).size).toBe(3);
        const together = stories.filter((story) =>
          referencesOf(story).some((one) =>
            referencesOf(story).some(
              (other) =>
                madeBy.get(one.id) !== madeBy.get(other.id) &&
                one.claimedAt < other.finishedAt &&
                other.claimedAt < one.finishedAt,
            ),
          ),
        );
        expect(together).not.toEqual([]);
      });

      it("are interleaved with the stories of the other account", oneAfterAnother, () => {
        const ends = stories.map(lastEndOf);
        const [first, second] = [ends.slice(0, 5), ends.slice(5)];
        expect(Math.min(...first)).toBeLessThan(Math.max(...second));
        expect(Math.min(...second)).toBeLessThan(Math.max(...first));
      });
    });

    it("occupy no worker slot while they wait", oneAfterAnother, async () => {
      const client = await createClient(fleet.stack);
      const other = await createClient(fleet.stack);
      const imageJob = Promise.withResolvers<string>();
      // Another account sends a request while the first scene is being made.
      fleet.stack.provider.behave(async ({ prompt }) => {
        if (prompt.includes("part 1")) imageJob.resolve(await other.accept());
        return { kind: "image" };
      });
      await startWorkers(1);
      const story = await fleet.accept(client, storyOf({ characters: 1, scenes: 3 }));
      const image = await imageJob.promise;
      await fleet.untilFinal([story, image]);
      await expectCharged(client, [story], 5);
      await expectCharged(other, [image], 1);
      const [, , , , lastScene] = await fleet.rendersOf(story);
      expect(lastScene?.claimedAt.getTime()).toBeGreaterThanOrEqual(
        lastEndOf(await fleet.rendersOf(image)),
      );
    });

    if (redisUrl === null) return;

    it("complete when Redis is emptied while they run", oneAfterAnother, async () => {
      const { provider } = fleet.stack;
      const lane = "fake-blind";
      const queues = await createQueues({
        url: fleet.stack.queueUrl,
        lanes: [lane],
        onError: () => undefined,
      });
      const clients = await Promise.all([1, 2, 3].map(() => createClient(fleet.stack)));
      const answered = provider.calls.length + 10;
      const emptied = Promise.withResolvers<void>();
      provider.behave(async (_call, count) => {
        if (count > answered) await emptied.promise;
        return { kind: "image" };
      });
      await startWorkers(2);
      const story = storyOf({ characters: 2, scenes: 4 });
      const jobIds = await Promise.all(clients.map((client) => fleet.accept(client, story)));
      // Two images are in progress; at least one of three stories has its next render in the queue.
      await eventually(
        async () => provider.calls.length,
        (calls) => calls === answered + 2,
      );
      const { waiting, active } = await queues.counts(lane);
      expect(waiting).toBeGreaterThan(0);
      expect(active).toBeGreaterThanOrEqual(2);
      await emptyRedis(redisUrl);
      expect(await queues.counts(lane)).toEqual({ waiting: 0, active: 0 });
      emptied.resolve();
      await queues.close();
      await fleet.untilFinal(jobIds);
      for (const [index, client] of clients.entries()) {
        await expectCharged(client, jobIds.slice(index, index + 1), 7);
      }
    });
  },
);

const scenesOf = (story: readonly RenderFacts[]) => story.filter(({ role }) => role === "scene");

const referencesOf = (story: readonly RenderFacts[]) =>
  story.filter(({ role }) => role !== "scene");

const lastEndOf = (renders: readonly RenderFacts[]) =>
  Math.max(...renders.map(({ finishedAt }) => finishedAt.getTime()));

/** Expects all jobs of an account with 10 EUR to be completed, and each image to be charged once. */
async function expectCharged(client: Client, jobIds: readonly string[], images: number) {
  const jobs = await Promise.all(jobIds.map((jobId) => client.read(jobId)));
  expect(jobs.filter(({ status }) => status !== "completed")).toEqual([]);
  const cents = images * 5;
  const charged = jobs.map(({ cost_eur }) => Math.round(Number(cost_eur) * 100));
  expect(charged.reduce((sum, cost) => sum + cost, 0)).toBe(cents);
  const balance_eur = ((1_000 - cents) / 100).toFixed(2);
  expect(await client.money()).toEqual({ balance_eur, held_eur: "0.00" });
}
