import { execFile } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  defaultCacheDirectory,
  findPython,
  startServerProcess,
  unpackDebianPackages,
  type Unavailable,
  type UnpackedPackages,
} from "@atelier/local-services";

const execute = promisify(execFile);

/** A container engine with Compose. */
export interface Engine {
  /** A description for the output of a run. */
  readonly description: string;
  /** The environment that a program needs to reach it. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Runs `docker` and returns its standard output.
   *
   * @throws Error with the end of its standard error.
   */
  docker(args: readonly string[], options?: CommandOptions): Promise<string>;
  /** Runs Compose, like `docker`. */
  compose(args: readonly string[], options?: CommandOptions): Promise<string>;
  /** Stops the engine if it was started here. */
  stop(): Promise<void>;
}

/** An engine that was started here, so stand-ins may use the names of public images. */
export interface PrivateEngine extends Engine {
  /** Runs another program of the unpacked packages. */
  run(command: string, args: readonly string[], options?: CommandOptions): Promise<string>;
}

interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/**
 * Packages of the engine, of Compose, and of the tools that build the root file system of an image.
 */
const packages = ["docker.io", "docker-compose", "iptables", "mmdebstrap"];

/**
 * Returns the engine of this machine with the newest installed Compose; unavailable if none
 * responds.
 */
export async function findEngine(): Promise<Engine | Unavailable> {
  if (!(await answers("docker", ["info"]))) return { unavailable: "no container engine answers" };
  const candidates: readonly [string, ...string[]][] = [["docker", "compose"], ["docker-compose"]];
  for (const [command, ...prefix] of candidates) {
    if (await answers(command, [...prefix, "version"])) {
      return {
        description: `the engine of this machine and ${[command, ...prefix].join(" ")}`,
        environment: {},
        docker: (args, options) => run("docker", args, {}, options),
        compose: (args, options) => run(command, [...prefix, ...args], {}, options),
        stop: async () => undefined,
      };
    }
  }
  return { unavailable: "the container engine has no Compose" };
}

/**
 * Starts a private engine from Debian packages, which are unpacked into the cache. Nothing is
 * installed: it has its own data, socket and process ID file, and neither a bridge nor firewall
 * rules on the host (containers reach each other over the networks that Compose creates and
 * removes). Its images stay in the cache between runs. Needs root on Debian.
 */
export async function startEngine(
  log: (line: string) => void,
): Promise<PrivateEngine | Unavailable> {
  if (process.getuid?.() !== 0) return { unavailable: "starting a container engine needs root" };
  const cache = defaultCacheDirectory();
  const unpacked = await unpackDebianPackages({ name: "engine", packages, log });
  if ("unavailable" in unpacked) return unpacked;
  const { root, libraryPath } = unpacked;
  const python = await findPython(unpacked);
  if (python === null) return { unavailable: "Compose needs Debian's Python 3" };

  // Sockets need a short path. The path is fixed, so that an engine cleans up after one that was
  // killed.
  const runtime = join(tmpdir(), "atelier-engine");
  const data = join(cache, "engine-data");
  const commands = join(runtime, "bin");
  await mkdir(commands, { recursive: true });
  await mkdir(data, { recursive: true });
  for (const name of ["iptables", "ip6tables"]) {
    await rm(join(commands, name), { force: true });
    await symlink(join(root, "usr/sbin/xtables-nft-multi"), join(commands, name));
  }
  const socket = join(runtime, "docker.sock");
  const environment: Record<string, string> = {
    HOME: process.env["HOME"] ?? "/root",
    PATH: [
      commands,
      join(root, "usr/sbin"),
      join(root, "usr/bin"),
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    ].join(":"),
    LD_LIBRARY_PATH: libraryPath,
    XTABLES_LIBDIR: join(libraryPath.split(":")[0] ?? "", "xtables"),
    PYTHONPATH: join(root, "usr/lib/python3/dist-packages"),
    PERL5LIB: perlFolders(unpacked).join(":"),
    DOCKER_HOST: `unix://${socket}`,
    // Debian's client has no BuildKit.
    DOCKER_BUILDKIT: "0",
  };
  const docker = join(root, "usr/bin/docker");
  const settings = join(runtime, "daemon.json");
  await writeFile(settings, "{}\n");
  const { stop } = await startServerProcess({
    name: "dockerd",
    command: join(root, "usr/sbin/dockerd"),
    args: [
      `--config-file=${settings}`,
      `--data-root=${data}`,
      `--exec-root=${join(runtime, "exec")}`,
      `--pidfile=${join(runtime, "dockerd.pid")}`,
      `--host=unix://${socket}`,
      "--bridge=none",
      "--iptables=false",
      "--ip6tables=false",
      "--ip-forward=false",
      "--ip-masq=false",
    ],
    directory: runtime,
    environment,
    isReady: () => answers(docker, ["info"], environment),
    timeoutMs: 60_000,
    stopTimeoutMs: 60_000,
  });
  return {
    description: "an engine of its own, unpacked from Debian, with docker-compose 1.29",
    environment,
    docker: (args, options) => run(docker, args, environment, options),
    compose: (args, options) =>
      run(python, [join(root, "usr/bin/docker-compose"), ...args], environment, options),
    run: (command, args, options) =>
      run(join(root, "usr/bin", command), args, environment, options),
    async stop() {
      await stop();
      for (const folder of [data, runtime]) await unmountBelow(folder);
    },
  };
}

/** The folders of Perl modules in unpacked packages; Debian 12 has Perl 5.36. */
function perlFolders({ root, libraryPath }: UnpackedPackages): string[] {
  const versioned = libraryPath.split(":").map((folder) => join(folder, "perl/5.36"));
  return [join(root, "usr/share/perl/5.36"), join(root, "usr/share/perl5"), ...versioned];
}

/** The engine leaves its network namespace mounted, and a cut-off build its root file system. */
async function unmountBelow(folder: string): Promise<void> {
  const mounts = await readFile("/proc/mounts", "utf8");
  const targets = mounts.split("\n").map((line) => line.split(" ")[1] ?? "");
  for (const target of targets.toReversed()) {
    if (target.startsWith(`${folder}/`)) await run("umount", [target], {});
  }
}

async function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: CommandOptions = {},
): Promise<string> {
  const env = { ...process.env, ...environment, ...options.environment };
  const { timeoutMs: timeout = 300_000 } = options;
  try {
    const { stdout } = await execute(command, args, { env, timeout, maxBuffer: 2 ** 26 });
    return stdout.trim();
  } catch (error) {
    const { stderr = "", stdout = "" } = error as { stderr?: string; stdout?: string };
    const lines = `${stdout}\n${stderr}`.trim().split("\n").slice(-25).join("\n");
    throw new Error(`${command} ${args.join(" ")} failed:\n${lines}`, { cause: error });
  }
}

async function answers(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  return run(command, args, environment, { timeoutMs: 10_000 }).then(
    () => true,
    () => false,
  );
}
