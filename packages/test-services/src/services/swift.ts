import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { commandAnswers, startServerProcess } from "./child-process.ts";
import { type UnpackedPackages, unpackDebianPackages } from "./debian-packages.ts";
import { freePorts } from "./free-ports.ts";
import type { RunningService, StartServiceOptions, Unavailable } from "./service.ts";

const execute = promisify(execFile);

type Sections = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/**
 * OpenStack Swift with its S3 interface, from Debian's packages in the cache: a real S3 for tests
 * without a container engine. It checks signatures and expiry, and speaks ranges and multipart.
 * The account, container, object and proxy servers run on loopback, one process each, over one
 * folder, which must be on a file system with extended attributes.
 */
export async function startSwift(
  options: StartServiceOptions,
): Promise<RunningService | Unavailable> {
  const packages = await unpackDebianPackages({
    name: "swift",
    packages: ["swift-proxy", "swift-account", "swift-container", "swift-object"],
    cacheDirectory: options.cacheDirectory,
    log: options.log,
  });
  if ("unavailable" in packages) return packages;
  const python = await findPython(packages);
  if (python === null) return { unavailable: "OpenStack Swift needs Debian's Python 3" };

  const directory = resolve(options.directory);
  const [account = 0, container = 0, object = 0, proxy = 0] = await freePorts(4);
  const secret = randomUUID();
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
    { kind: "proxy", port: proxy, sections: frontend(directory, proxy, secret) },
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
        isReady: () => portAnswers(port),
        timeoutMs: 30_000,
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
    url: `s3://test%3Atester:${secret}@127.0.0.1:${proxy}/atelier-test?tls=false&region=us-east-1`,
    how: "OpenStack Swift of Debian, unpacked in the cache",
    stop,
  };
}

/** One process, on loopback, not as another user, and nothing for the system's log. */
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

function frontend(directory: string, port: number, secret: string): Sections {
  return {
    DEFAULT: common(directory, port),
    "pipeline:main": {
      pipeline: "catch_errors cache s3api tempauth bulk slo dlo proxy-server",
    },
    "filter:catch_errors": { use: "egg:swift#catch_errors" },
    // The pipeline wants a memcached to be named; nothing listens there, and nothing depends on it.
    "filter:cache": { use: "egg:swift#memcache", memcache_servers: "127.0.0.1:1" },
    "filter:s3api": { use: "egg:swift#s3api", location: "us-east-1", s3_acl: "false" },
    "filter:tempauth": { use: "egg:swift#tempauth", user_test_tester: `${secret} .admin` },
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

/**
 * The Python that the packages are made for: the one that came with them, where the system has
 * none, else the system's. Another one on the PATH has neither their version nor their modules.
 */
async function findPython(packages: UnpackedPackages): Promise<string | null> {
  const commands = await readdir(join(packages.root, "usr/bin"));
  const unpacked = commands.find((command) => /^python3\.\d+$/.test(command));
  const python = unpacked ? join(packages.root, "usr/bin", unpacked) : "/usr/bin/python3";
  return (await commandAnswers(python, ["--version"])) ? python : null;
}

function script(name: string): string {
  return fileURLToPath(new URL(`swift/${name}`, import.meta.url));
}

function portAnswers(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (answered: boolean): void => {
      socket.destroy();
      answer(answered);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
