import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { pause } from "../../../data/pause.ts";
import { isFinal, queryClient } from "../../../data/queries.ts";
import { sessionSignal } from "../../../data/session-signal.ts";
import { refreshAfterRequest } from "../../../data/submit-once.ts";
import { beginOrdering } from "../order-scenes.ts";
import { againQuery, showVersion } from "../queries.ts";
import type { Larger } from "./enlarge.ts";

const liveMs = 2_000;

/**
 * Orders larger pictures of a story one after another, waits for them, and lets the story show them.
 *
 * @returns the mutation, and how many pictures it has ordered so far.
 */
export function useEnlarging(storyId: string) {
  const [ordered, setOrdered] = useState(0);
  const enlarging = useMutation({
    mutationFn: async (pictures: readonly Larger[]) => {
      const signal = sessionSignal();
      const order = beginOrdering(storyId);
      // Jobs by the numbers of the scenes whose pictures they make larger.
      const placed = new Map<number, string>();
      setOrdered(0);
      for (const { scene, operation, body, jobId } of pictures) {
        signal.throwIfAborted();
        placed.set(scene, jobId ?? (await order(operation, body ?? {})));
        setOrdered(placed.size);
      }
      refreshAfterRequest();
      const completed = await untilFinal(storyId, new Set(placed.values()), signal);
      const made = [...placed].filter(([, jobId]) => completed.has(jobId));
      for (const [scene, jobId] of made) await showVersion(storyId, scene, jobId);
      return { failed: [...placed].filter(([, jobId]) => !completed.has(jobId)) };
    },
    onSettled: refreshAfterRequest,
  });
  return { enlarging, ordered };
}

/** @returns the ids of the jobs that were completed, once all are final. */
async function untilFinal(
  storyId: string,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  for (;;) {
    const again = await queryClient.fetchQuery({ ...againQuery(storyId), staleTime: 0 });
    const jobs = again.filter(({ id }) => ids.has(id));
    if (jobs.length === ids.size && jobs.every(isFinal)) {
      return new Set(jobs.filter(({ status }) => status === "completed").map(({ id }) => id));
    }
    await pause(liveMs, signal);
    signal.throwIfAborted();
  }
}
