import type { EventStream } from "./event-stream.ts";

/** The heartbeats of some streams, by one timer, which runs only while there are streams. */
export interface Heartbeat {
  add(stream: EventStream): void;
  remove(stream: EventStream): void;
  stop(): void;
}

/** @param intervalMs no stream is idle for longer than this, in milliseconds. */
export function createHeartbeat(intervalMs: number): Heartbeat {
  const streams = new Set<EventStream>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(stream) {
      streams.add(stream);
      // Ten checks per interval: a stream is never idle for longer than the interval.
      timer ??= setInterval(() => {
        for (const one of streams) one.beat(0.9 * intervalMs);
      }, intervalMs / 10);
    },
    remove(stream) {
      streams.delete(stream);
      if (streams.size === 0) stop();
    },
    stop,
  };
}
