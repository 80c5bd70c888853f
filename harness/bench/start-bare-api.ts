import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

interface BareApi {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts `bare-api.ts` as a separate process, like the API. */
export async function startBareApi(options: {
  readonly databaseUrl: string;
  /** Default: the queue is in the database. */
  readonly redisUrl?: string | null;
}): Promise<BareApi> {
  const child = fork(fileURLToPath(new URL("bare-api.ts", import.meta.url)), [], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      BARE_DATABASE_URL: options.databaseUrl,
      ...(options.redisUrl == null ? {} : { BARE_QUEUE_URL: options.redisUrl }),
    },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const ready = once(child, "message").then(([message]) => message as { port: number });
  const outcome = await Promise.race([ready, ended]);
  if (!("port" in outcome)) throw new Error("the bare API ended before it was ready");
  return {
    url: `http://127.0.0.1:${outcome.port}`,
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
