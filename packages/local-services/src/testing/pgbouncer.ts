import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandSucceeds, startServerProcess } from "../child-process.ts";
import { unpackDebianPackages } from "../debian-packages.ts";
import { freePorts, isPortOpen } from "../free-ports.ts";
import {
  firstAvailable,
  type RunningService,
  type StartServiceOptions,
  type Unavailable,
} from "../service.ts";

/**
 * PgBouncer in transaction mode in front of a Postgres, for tests: the installed one, else Debian's
 * package from the cache. It serves every database of that server under the same name and lets every
 * client in as the user of `postgresUrl`. Startup parameters that it does not know end a connection.
 *
 * @returns the URL of the same database through the pooler.
 */
export async function startPgBouncer(
  options: StartServiceOptions & {
    /** Server behind the pooler; its user and password are used for all clients. */
    readonly postgresUrl: string;
    /** Connections to Postgres for each database; few, so that clients must share them. */
    readonly poolSize: number;
  },
): Promise<RunningService | Unavailable> {
  return firstAvailable([
    async () => {
      if (await commandSucceeds("pgbouncer", ["--version"])) {
        return start("pgbouncer", undefined, "pgbouncer of this machine", options);
      }
      return { unavailable: "pgbouncer is not installed" };
    },
    async () => {
      const packages = await unpackDebianPackages({
        name: "pgbouncer",
        packages: ["pgbouncer"],
        cacheDirectory: options.cacheDirectory,
        log: options.log,
      });
      if ("unavailable" in packages) return packages;
      const command = join(packages.root, "usr/sbin/pgbouncer");
      const environment = { LD_LIBRARY_PATH: packages.libraryPath };
      return start(command, environment, "pgbouncer of Debian, unpacked in the cache", options);
    },
  ]);
}

async function start(
  command: string,
  environment: Readonly<Record<string, string>> | undefined,
  description: string,
  options: Parameters<typeof startPgBouncer>[0],
): Promise<RunningService> {
  const { directory, poolSize } = options;
  const postgres = new URL(options.postgresUrl);
  const [port = 0] = await freePorts(1);
  const server = [
    `host=${postgres.hostname}`,
    `port=${postgres.port || 5432}`,
    `user=${decodeURIComponent(postgres.username)}`,
    `password=${decodeURIComponent(postgres.password)}`,
  ];
  const file = join(directory, "pgbouncer.ini");
  const settings = [
    "[databases]",
    `* = ${server.join(" ")}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${poolSize}`,
    "max_client_conn = 1000",
  ];
  await mkdir(directory, { recursive: true });
  // It refuses to run as root and drops to a user who may read nothing else.
  await chmod(directory, 0o755);
  await writeFile(file, `${settings.join("\n")}\n`, { mode: 0o644 });
  const user = process.getuid?.() === 0 ? ["--user", "nobody"] : [];
  const { stop } = await startServerProcess({
    name: "pgbouncer",
    command,
    args: [...user, file],
    directory,
    ...(environment && { environment }),
    isReady: () => isPortOpen(port),
    timeoutMs: 10_000,
  });
  const url = new URL(options.postgresUrl);
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, description, stop };
}
