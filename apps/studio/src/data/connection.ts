import { readEvents } from "@atelier/client/read-events";
import { useStore } from "@nanostores/react";
import { atom } from "nanostores";
import { onContact, readSession } from "../api.ts";
import { pause } from "./pause.ts";
import { queryClient } from "./queries.ts";

/** The heartbeats of event streams come every 4 seconds: after this, the service is asked, in milliseconds. */
const quietMs = 4_200;

/** Three heartbeats: a stream that is silent for longer is opened again. */
const silenceMs = 12_000;

/** Time in which the first attempt to reach the service must succeed, and time of the others. */
const firstAttemptMs = 600;
const attemptMs = 5_000;

/** Between attempts, in milliseconds. */
const retryMs = 2_000;

/** Responses and heartbeats so far, and the time of the last one in milliseconds since 1970. */
let contacts = 0;
let lastContactAt = Date.now();
/** Time of the last contact while the connection is lost; null otherwise. */
const lostSince = atom<number | null>(null);
let isProbing = false;

function recordContact(): void {
  contacts += 1;
  lastContactAt = Date.now();
  if (lostSince.get() === null) return;
  lostSince.set(null);
  // Pages that gave up show what they could not read.
  void queryClient.refetchQueries({
    type: "active",
    predicate: ({ state }) => state.status === "error",
  });
}

/** Whether the service responds, with whatever status. */
async function isReached(timeoutMs: number): Promise<boolean> {
  const before = contacts;
  await readSession(timeoutMs).catch(() => undefined);
  return contacts !== before;
}

/** Tries to reach the service until it responds. The connection is lost when the first attempt fails. */
async function probe(): Promise<void> {
  if (isProbing) return;
  isProbing = true;
  const { signal } = new AbortController();
  let isBack = await isReached(firstAttemptMs);
  while (!isBack) {
    lostSince.set(lastContactAt);
    await pause(retryMs, signal);
    isBack = await isReached(attemptMs);
  }
  isProbing = false;
}

onContact((hasResponded) => {
  if (hasResponded) recordContact();
  else void probe();
});

/**
 * Reads the events of a stream. The service is asked when the stream is silent, because a connection can
 * be lost without an end.
 */
export async function* readStream(body: ReadableStream<Uint8Array> | null) {
  let timer = setInterval(() => void probe(), quietMs);
  function onData(): void {
    recordContact();
    clearInterval(timer);
    timer = setInterval(() => void probe(), quietMs);
  }
  try {
    yield* readEvents(body, { silenceMs, onData });
  } finally {
    clearInterval(timer);
  }
}

/** When the service was last heard of, in milliseconds since 1970, while it cannot be reached; else null. */
export function useLostSince(): number | null {
  return useStore(lostSince);
}
