import type { Queues } from "@atelier/queue";

/** The operations of the queues that the API uses. */
export type ApiQueues = Pick<
  Queues,
  "dispatch" | "remove" | "setPaused" | "pausedLanes" | "check" | "bullQueues" | "close"
>;

const noQueues: Queues["bullQueues"] = [];

/**
 * Opens the queues at the first successful `check`, so that the API serves while their store is unavailable.
 * Until then, operations throw, which loses nothing: recovery dispatches accepted work.
 *
 * @param open called again after a failure.
 */
export function createLateQueues(open: () => Promise<Queues>): ApiQueues {
  let opened: Queues | null = null;
  let opening: Promise<void> | null = null;
  let isClosed = false;

  async function openNow(): Promise<void> {
    const queues = await open();
    if (isClosed) await queues.close();
    else opened = queues;
  }

  function current(): Queues {
    if (opened === null) throw new Error("the queue has not answered since the start");
    return opened;
  }

  return {
    dispatch: async (renders) => current().dispatch(renders),
    remove: async (render) => current().remove(render),
    setPaused: async (lane, isPaused) => current().setPaused(lane, isPaused),
    pausedLanes: async () => current().pausedLanes(),
    async check() {
      if (opened !== null) return opened.check();
      opening ??= openNow().finally(() => {
        opening = null;
      });
      return opening;
    },
    get bullQueues() {
      return opened?.bullQueues ?? noQueues;
    },
    async close() {
      isClosed = true;
      await opened?.close();
    },
  };
}
