import { readBacklog, type Backlog } from "@atelier/generations/servers";
import type { Database } from "@atelier/database";

/** Reads the images that wait for a worker; for the choice of a server. */
export type ReadBacklog = () => Promise<readonly Backlog[]>;

const freshMs = 1_000;

/** Runs one statement in a second at most, and only while calls need a server. */
export function createBacklog(database: Database): ReadBacklog {
  let read: Promise<readonly Backlog[]> | null = null;
  let readAt = -Infinity;
  return () => {
    if (read === null || performance.now() - readAt > freshMs) {
      readAt = performance.now();
      // It only improves the choice.
      read = readBacklog(database).catch(() => []);
    }
    return read;
  };
}
