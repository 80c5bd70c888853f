import { parseArgs } from "node:util";
import { UsageError } from "@atelier/configuration";

/** The options of the command line. */
export interface Settings {
  readonly apis: number;
  readonly workers: number;
  readonly queue: "redis" | "postgres";
  readonly storage: "s3" | "files";
  readonly host: string;
  readonly port: number;
  /** Print one line of JSON for programs instead of several lines for people. */
  readonly json: boolean;
}

export const help = `npm run fleet -- [options]

Starts a whole fleet on this machine: APIs behind one port, workers, Redis and S3, each as a
separate process. Its data is deleted when it stops. Ctrl-C stops it; SIGUSR2 restarts all APIs and
workers, one after another.

  --workers <n>                number of workers (2)
  --apis <n>                   number of APIs behind the port (2)
  --queue redis|postgres       store of the queues (redis)
  --storage s3|files           store of the images (s3; files when other machines may connect)
  --port <n>                   port for clients (3000); 0 for a free port
  --host <address>             address to listen on (127.0.0.1). For 0.0.0.0, set PUBLIC_URL to the
                               address that clients use: URLs of images start with it
  --json                       print one line of JSON when everything serves

DATABASE_URL, QUEUE_URL and STORAGE_URL select services of your own; the fleet then does not start
these. All other settings of .env.example are passed to the programs.
`;

/**
 * Parses the command line; null if it asks for help.
 *
 * @throws UsageError.
 */
export function readSettings(args: readonly string[]): Settings | null {
  const values = parse(args);
  if (values.help) return null;
  return {
    apis: readInteger("apis", values.apis, 1),
    workers: readInteger("workers", values.workers, 0),
    queue: oneOf("queue", values.queue, ["redis", "postgres"]),
    storage: readStorage(values.storage, values.host),
    host: values.host,
    port: readInteger("port", values.port, 0),
    json: values.json,
  };
}

/**
 * The S3 server that the fleet starts listens on the loopback interface, so other machines could
 * not fetch images from it.
 */
function readStorage(text: string | undefined, host: string): Settings["storage"] {
  const isLocal = host === "localhost" || host === "::1" || host.startsWith("127.");
  const storage = oneOf("storage", text ?? (isLocal ? "s3" : "files"), ["s3", "files"]);
  if (storage === "files" || isLocal) return storage;
  throw new UsageError(
    `--storage s3 listens on 127.0.0.1, and clients of --host ${host} could not fetch images. ` +
      "Use --storage files, or set STORAGE_URL.",
  );
}

function parse(args: readonly string[]) {
  const options = {
    apis: { type: "string", default: "2" },
    workers: { type: "string", default: "2" },
    queue: { type: "string", default: "redis" },
    storage: { type: "string" },
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

function readInteger(name: string, text: string, minimum: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= minimum && value <= 65_535) return value;
  throw new UsageError(`--${name} must be a whole number of at least ${minimum}, not "${text}".`);
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
