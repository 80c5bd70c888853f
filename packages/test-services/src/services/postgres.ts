import { startEmbeddedPostgres } from "@atelier/embedded-postgres";
import { freePorts } from "./free-ports.ts";
import type { RunningService } from "./service.ts";

/**
 * Takes the server at `externalUrl`, or starts the embedded one with everything that makes it
 * durable switched off: a test's data is gone with the run anyway.
 */
export async function startPostgres(options: {
  readonly directory: string;
  readonly externalUrl?: string | undefined;
}): Promise<RunningService> {
  if (options.externalUrl !== undefined) {
    return { url: options.externalUrl, how: "TEST_DATABASE_URL", stop: async () => undefined };
  }
  const [port = 0] = await freePorts(1);
  const server = await startEmbeddedPostgres({
    directory: options.directory,
    port,
    password: "test",
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  });
  return { url: server.url("postgres"), how: "embedded", stop: () => server.stop() };
}
