import {
  batchPlaceChannel,
  findLanesInWait,
  returnToPlaces,
  takeForPlace,
} from "@atelier/generations/batches";
import { startLoop } from "@atelier/process";
import type { RenderVerdict } from "@atelier/queue";
import { withTraceParent } from "@atelier/telemetry";
import type { RenderDependencies } from "../dependencies.ts";
import { createActivity, processClock, type Activity, type Clock } from "../render/activity.ts";

/** A render from the queue of a lane. */
interface QueuedRender {
  readonly renderId: string;
  readonly lane: string;
  readonly isInBatch: boolean;
}

/** The places of this process for images of batches, in each of its lanes. */
export interface BatchPlaces {
  /** Renders an image. One of a batch for which there is no place waits out of the queue. */
  run(queued: QueuedRender, render: () => Promise<RenderVerdict>): Promise<RenderVerdict>;
  /** Images of batches may wait that did not wait before. */
  wake(): void;
  /** Adds no further images to the queue. */
  stop(): Promise<void>;
}

interface ServedLane {
  readonly lane: string;
  /** Places of all renders. */
  readonly concurrency: number;
}

/** Time without another image after which batches have all places, in milliseconds. */
const aloneMs = 10_000;

/** Delay between two looks while images of batches wait, in milliseconds: places also become free without a call. */
const waitingMs = 1_000;

/** Delay between two looks while none waits, since notifications may be lost, in milliseconds. */
const idleMs = 60_000;

interface LanePlaces extends ServedLane {
  readonly others: Activity;
  taken: number;
  /** Account of the last image that was added: accounts take turns. */
  accountId: string | null;
}

/**
 * Adds images of batches to the queue while their lane has a free place, so that workers do not fetch and return
 * those that must wait. While there are other images in the lane, batches have half of its places, or the only one;
 * otherwise they have all.
 *
 * The worker that ends an image adds the next one. If it dies before, the next look of any worker of the lane adds
 * it: once no entry waits in the queue, a worker fills its free places.
 */
export function startBatchPlaces(
  served: readonly ServedLane[],
  { database, queues, logger }: Pick<RenderDependencies, "database" | "queues" | "logger">,
  clock: Clock = processClock,
): BatchPlaces {
  const lanes = new Map<string, LanePlaces>(
    served.map((one) => [
      one.lane,
      { ...one, others: createActivity(clock), taken: 0, accountId: null },
    ]),
  );
  let isAnyWaiting = false;
  let isStopped = false;

  function freePlaces({ others, concurrency, taken }: LanePlaces): number {
    const places = others.wasWithin(aloneMs)
      ? Math.max(1, Math.floor(concurrency / 2))
      : concurrency;
    return places - taken;
  }

  /** Lets an image wait for a place of any worker. */
  async function returnImage(renderId: string): Promise<boolean> {
    const isReturned = await returnToPlaces(database, renderId);
    if (isReturned) database.notify(batchPlaceChannel, "");
    return isReturned;
  }

  /** @returns false when no image was added. */
  async function addNext(places: LanePlaces): Promise<boolean> {
    if (isStopped) return false;
    const next = await takeForPlace(database, places.lane, places);
    if (next === null) return false;
    places.accountId = next.accountId;
    const isAdded = await withTraceParent(next.traceParent, () => queues.ensureDispatched(next));
    // The job that returned it has not ended, and does not run it.
    if (!isAdded) await returnImage(next.renderId);
    return isAdded;
  }

  async function fill(lane: string): Promise<void> {
    const places = lanes.get(lane);
    if (places === undefined || freePlaces(places) <= 0 || (await queues.hasWaiting(lane))) return;
    for (let free = freePlaces(places); free > 0; free--) {
      if (!(await addNext(places))) return;
    }
  }

  async function look(): Promise<void> {
    const waiting = await findLanesInWait(database, [...lanes.keys()]);
    isAnyWaiting = waiting.length > 0;
    for (const lane of waiting) await fill(lane);
  }

  const loop = startLoop(look, {
    firstDelayMs: 0,
    delayMs: () => (isAnyWaiting ? waitingMs : idleMs),
    gapMs: waitingMs,
    onError: (error) =>
      logger.warn({ err: error }, "images of batches not added to the queue, will retry"),
  });

  async function runInPlace(
    places: LanePlaces,
    render: () => Promise<RenderVerdict>,
  ): Promise<RenderVerdict> {
    places.taken += 1;
    const verdict = await render().finally(() => {
      places.taken -= 1;
    });
    // One that is retried is still in the queue.
    if (verdict.kind !== "done" && verdict.kind !== "failed") return verdict;
    // It may have readied images of other lanes.
    loop.wake();
    if (freePlaces(places) > 0) {
      await addNext(places).catch((error: unknown) => {
        logger.warn(
          { err: error, lane: places.lane },
          "no image of a batch added, left to the next look",
        );
      });
    }
    return verdict;
  }

  return {
    async run({ renderId, lane, isInBatch }, render) {
      const places = lanes.get(lane);
      if (places === undefined) throw new Error(`this worker does not serve the lane "${lane}"`);
      if (!isInBatch) {
        const end = places.others.begin();
        return render().finally(end);
      }
      if (freePlaces(places) <= 0 && (await returnImage(renderId))) return { kind: "done" };
      return runInPlace(places, render);
    },
    wake: () => loop.wake(),
    async stop() {
      isStopped = true;
      await loop.stop();
    },
  };
}
