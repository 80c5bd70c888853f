import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jobAccepted } from "@atelier/schemas";
import { createStorage, type Storage } from "@atelier/storage";
import { startStack, type Stack } from "@atelier/testing";
import { inject } from "vitest";
import type { Client } from "./client.ts";
import { eventually } from "./eventually.ts";

export type Worker = Stack["workers"][number];

/** Stored state of one image of a story. */
export interface RenderFacts {
  readonly id: string;
  readonly role: string;
  readonly claimedAt: Date;
  readonly finishedAt: Date;
  /** When the first intent to call the provider was recorded. */
  readonly calledAt: Date;
  /** Outcomes of the provider calls, in order. */
  readonly outcomes: readonly (string | null)[];
}

/** The service without workers; tests start and kill them. */
export interface Fleet {
  readonly stack: Stack;
  readonly storage: Storage;
  /** A folder for the test's files. */
  readonly directory: string;
  /** Starts a worker that renders one image of a model at a time. */
  startWorker(model: string, environment?: Readonly<Record<string, string>>): Promise<Worker>;
  /** Requests a story and returns the job id. */
  accept(client: Client, story: object): Promise<string>;
  /** Waits until all of the jobs are final. */
  untilFinal(jobIds: readonly string[]): Promise<void>;
  /** The images of a completed job, in the order of its plan. */
  rendersOf(jobId: string): Promise<RenderFacts[]>;
  stop(): Promise<void>;
}

/** @param redisUrl Redis for the queues; null to use the database. */
export async function startFleet(redisUrl: string | null): Promise<Fleet> {
  const directory = await mkdtemp(join(tmpdir(), "atelier-fleet-"));
  const storageUrl = `file:${join(directory, "storage")}`;
  const stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    processes: true,
    redisUrl,
    workers: 0,
    environment: { STORAGE_URL: storageUrl },
  });
  const storage = await createStorage({
    url: storageUrl,
    publicUrl: stack.url,
    signingSecret: "reads what is stored, and signs nothing",
  });
  return {
    stack,
    storage,
    directory,
    startWorker: (model, environment) =>
      stack.startWorker({ WORKER_LANES: model, WORKER_CONCURRENCY: "1", ...environment }),
    async accept({ account }, story) {
      const response = await stack.request(account, "POST", "/v1/generate/story", story);
      return jobAccepted.parse(await response.json()).job_id;
    },
    async untilFinal(jobIds) {
      const unfinished = () =>
        stack.database.query(
          "SELECT 1 FROM generation WHERE id = ANY ($1) AND status IN ('pending', 'processing')",
          [jobIds],
        );
      await eventually(unfinished, ({ length }) => length === 0);
    },
    rendersOf: (jobId) =>
      stack.database.query(
        `SELECT render.id, role, claimed_at AS "claimedAt", render.finished_at AS "finishedAt",
                min(started_at) AS "calledAt",
                array_agg(outcome::text ORDER BY provider_call.attempt) AS outcomes
           FROM render JOIN provider_call ON render_id = render.id
          WHERE generation_id = $1 GROUP BY render.id ORDER BY position`,
        [jobId],
      ),
    async stop() {
      await storage.close();
      await stack.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * A story with images at 0.05 EUR each: characters, optionally a state of one, a beach, and scenes.
 */
export function storyOf(wanted: {
  readonly model?: string;
  readonly characters: 1 | 2;
  readonly state?: boolean;
  readonly scenes: number;
}) {
  const { model = "fake-blind", characters, state = false, scenes } = wanted;
  const rain = { states: { rain: { description: "wearing a yellow raincoat" } } };
  return {
    model,
    prompt: "A short tale of a lost kite",
    characters: [
      { name: "Mira", description: "a woman with long red hair", ...(state ? rain : {}) },
      { name: "Otto", description: "an old man with a white beard" },
    ].slice(0, characters),
    locations: [{ name: "Beach", description: "a wide beach with dunes" }],
    scenes: Array.from({ length: scenes }, (_, index) => ({
      prompt: `Mira follows the kite over the dunes, part ${index + 1}`,
      characters: [{ name: "Mira", ...(state && index === 1 ? { state: "rain" } : {}) }],
      location: "Beach",
    })),
  };
}

/** Maps each image to the process that finished it, according to the workers' logs. */
export async function readFinishingProcesses(
  workers: readonly Worker[],
): Promise<Map<string, string>> {
  const logs = await Promise.all(workers.map((worker) => worker.log()));
  const line = /"pid":(\d+),.*"renderId":"([^"]+)",.*"msg":"render done"/g;
  return new Map(logs.flatMap((log) => [...log.matchAll(line)].map(([, pid, id]) => [id!, pid!])));
}

/** Waits until a process is gone; a killed one disappears once its parent has reaped it. */
export async function untilExited({ pid }: Worker): Promise<void> {
  const isAlive = async () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await eventually(isAlive, (alive) => !alive);
}

/**
 * Flushes the database of a Redis URL, with inline commands.
 *
 * @throws Error when Redis does not confirm it.
 */
export async function emptyRedis(redisUrl: string): Promise<void> {
  const { hostname, port, pathname, username, password } = new URL(redisUrl);
  const login = password === "" ? [] : [`AUTH ${username || "default"} ${password}`];
  const commands = [...login, `SELECT ${pathname.slice(1)}`, "FLUSHDB", "QUIT"];
  const socket = connect(Number(port || 6379), hostname).setEncoding("utf8");
  let answers = "";
  socket.on("data", (text: string) => {
    answers += text;
  });
  socket.write(commands.map((command) => `${command}\r\n`).join(""));
  await once(socket, "close");
  if (answers !== "+OK\r\n".repeat(commands.length)) throw new Error(`Redis said: ${answers}`);
}
