import { parseArgs } from "node:util";
import { UsageError } from "@atelier/configuration";

/** What was asked for on the command line. */
export interface Settings {
  readonly apis: number;
  readonly workers: number;
  readonly queue: "redis" | "postgres";
  readonly storage: "s3" | "files";
  readonly host: string;
  readonly port: number;
  /** One line for programs, instead of several for people. */
  readonly json: boolean;
}

export const help = `npm run fleet -- [options]

The whole service on this machine, as it runs on many: APIs behind one port, workers, Redis and S3,
each a process of its own. Its data is gone when it ends. Ctrl-C ends it; SIGUSR2 restarts all APIs
and workers, one after another.

  --workers <n>                how many workers (2)
  --apis <n>                   how many APIs behind the port (2)
  --queue redis|postgres       where the queues are (redis)
  --storage s3|files           where the images are (s3)
  --port <n>                   where clients reach it (3000); 0 for any that is free
  --host <address>             where it listens (127.0.0.1)
  --json                       one line of JSON once everything serves

DATABASE_URL, QUEUE_URL and STORAGE_URL name services of your own, in place of those that it would
start. All other settings of .env.example are handed on to the programs.
`;

/**
 * Reads the command line; null when it asks for help.
 *
 * @throws UsageError.
 */
export function readSettings(args: readonly string[]): Settings | null {
  const values = parse(args);
  if (values.help) return null;
  return {
    apis: whole("apis", values.apis, 1),
    workers: whole("workers", values.workers, 0),
    queue: oneOf("queue", values.queue, ["redis", "postgres"]),
    storage: oneOf("storage", values.storage, ["s3", "files"]),
    host: values.host,
    port: whole("port", values.port, 0),
    json: values.json,
  };
}

function parse(args: readonly string[]) {
  const options = {
    apis: { type: "string", default: "2" },
    workers: { type: "string", default: "2" },
    queue: { type: "string", default: "redis" },
    storage: { type: "string", default: "s3" },
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "3000" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false, short: "h" },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= 65_535) return value;
  throw new UsageError(`--${name} must be a whole number of at least ${least}, not "${text}".`);
}

function oneOf<Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} must be ${choices.join(" or ")}, not "${text}".`);
}
