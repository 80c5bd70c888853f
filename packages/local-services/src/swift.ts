import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { startServerProcess } from "./child-process.ts";
import { findPython, type UnpackedPackages, unpackDebianPackages } from "./debian-packages.ts";
import { freePorts, isPortOpen } from "./free-ports.ts";
import type { RunningService, StartServiceOptions, Unavailable } from "./service.ts";

const execute = promisify(execFile);

type Sections = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** Address and credentials of Swift's S3 interface. */
interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** In Swift's form `account:user`. */
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The packages of Swift, from the cache or downloaded into it. */
export function downloadSwift(
  options: Pick<StartServiceOptions, "cacheDirectory" | "log">,
): Promise<UnpackedPackages | Unavailable> {
  return unpackDebianPackages({
    name: "swift",
    packages: ["swift-proxy", "swift-account", "swift-container", "swift-object"],
    cacheDirectory: options.cacheDirectory,
    log: options.log,
  });
}

/**
 * OpenStack Swift with its S3 interface, from Debian's packages in the cache: a real S3 for tests
 * without a container engine. It checks signatures and expiry, and speaks ranges and multipart.
 * The account, container, object and proxy servers run on loopback, one process each, over one
 * folder, which must be on a file system with extended attributes.
 *
 * @param options.serve address and credentials; by default loopback, a free port and a new secret.
 */
export async function startSwift(
  options: StartServiceOptions & { readonly serve?: Endpoint },
): Promise<RunningService | Unavailable> {
  const packages = await downloadSwift(options);
  if ("unavailable" in packages) return packages;
  const python = await findPython(packages);
  if (python === null) return { unavailable: "OpenStack Swift needs Debian's Python 3" };

  const directory = resolve(options.directory);
  const [account = 0, container = 0, object = 0, free = 0] = await freePorts(4);
  const {
    serve: endpoint = {
      host: "127.0.0.1",
      port: free,
      accessKey: "test:tester",
      secretKey: randomUUID(),
    },
  } = options;
  const environment = {
    PATH: "/usr/bin:/bin",
    PYTHONPATH: join(packages.root, "usr/lib/python3/dist-packages"),
    LD_LIBRARY_PATH: packages.libraryPath,
  };

  await mkdir(join(directory, "devices", "disk"), { recursive: true });
  await execute(
    python,
    [script("build_rings.py"), directory, ...[account, container, object].map(String)],
    { env: environment },
  );
  await writeIni(join(directory, "swift.conf"), {
    "swift-hash": { swift_hash_path_prefix: "atelier", swift_hash_path_suffix: "tests" },
    "storage-policy:0": { name: "one", default: "yes" },
  });
  const servers = [
    { kind: "account", port: account, sections: backend(directory, "account", account) },
    { kind: "container", port: container, sections: backend(directory, "container", container) },
    { kind: "object", port: object, sections: backend(directory, "object", object) },
    { kind: "proxy", port: endpoint.port, sections: frontend(directory, endpoint) },
  ];

  const starting = await Promise.allSettled(
    servers.map(async ({ kind, port, sections }) => {
      await writeIni(join(directory, `${kind}-server.conf`), sections);
      return startServerProcess({
        name: `swift-${kind}`,
        command: python,
        args: [script("run_server.py"), directory, kind],
        directory,
        environment,
        isReady: () => isPortOpen(port),
        // Its Python servers load for half a minute on a machine that runs other tests.
        timeoutMs: 120_000,
      });
    }),
  );
  const started = starting.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  async function stop(): Promise<void> {
    await Promise.all(started.map((server) => server.stop()));
  }
  const failed = starting.find((one) => one.status === "rejected");
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return {
    url:
      `s3://${encodeURIComponent(endpoint.accessKey)}:${encodeURIComponent(endpoint.secretKey)}` +
      `@127.0.0.1:${endpoint.port}/atelier-test?tls=false&region=us-east-1`,
    description: "OpenStack Swift of Debian, unpacked in the cache",
    stop,
  };
}

/** One process on loopback, as the current user, without syslog. */
function common(directory: string, port: number): Record<string, string | number> {
  return {
    bind_ip: "127.0.0.1",
    bind_port: port,
    workers: 0,
    user: userInfo().username,
    swift_dir: directory,
    log_level: "WARNING",
    log_address: join(directory, "no-syslog"),
  };
}

function backend(directory: string, kind: string, port: number): Sections {
  return {
    DEFAULT: {
      ...common(directory, port),
      devices: join(directory, "devices"),
      mount_check: "false",
      disable_fallocate: "true",
      fallocate_reserve: 0,
    },
    "pipeline:main": { pipeline: `${kind}-server` },
    [`app:${kind}-server`]: { use: `egg:swift#${kind}` },
  };
}

function frontend(directory: string, { host, port, accessKey, secretKey }: Endpoint): Sections {
  const [account, user] = accessKey.split(":");
  return {
    DEFAULT: { ...common(directory, port), bind_ip: host },
    "pipeline:main": {
      pipeline: "catch_errors cache s3api tempauth bulk slo dlo proxy-server",
    },
    "filter:catch_errors": { use: "egg:swift#catch_errors" },
    // The pipeline requires a memcached address. Nothing listens there, and nothing depends on it.
    "filter:cache": { use: "egg:swift#memcache", memcache_servers: "127.0.0.1:1" },
    "filter:s3api": { use: "egg:swift#s3api", location: "us-east-1", s3_acl: "false" },
    "filter:tempauth": {
      use: "egg:swift#tempauth",
      [`user_${account}_${user}`]: `${secretKey} .admin`,
      // A second key of the same account, to which tests rotate.
      [`user_${account}_second`]: `${secretKey} .admin`,
    },
    "filter:bulk": { use: "egg:swift#bulk" },
    "filter:slo": { use: "egg:swift#slo" },
    "filter:dlo": { use: "egg:swift#dlo" },
    "app:proxy-server": { use: "egg:swift#proxy", account_autocreate: "true" },
  };
}

async function writeIni(path: string, sections: Sections): Promise<void> {
  const lines = Object.entries(sections).flatMap(([name, values]) => [
    `[${name}]`,
    ...Object.entries(values).map(([key, value]) => `${key} = ${value}`),
    "",
  ]);
  await writeFile(path, lines.join("\n"));
}

function script(name: string): string {
  return fileURLToPath(new URL(`swift/${name}`, import.meta.url));
}
