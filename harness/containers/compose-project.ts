import { randomBytes } from "node:crypto";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts } from "@atelier/local-services";
import type { Engine } from "./engine.ts";

/** Mounted by the proxy, from the folder of the project. */
const proxyFolder = fileURLToPath(new URL("../../deploy/haproxy", import.meta.url));

const composeFile = fileURLToPath(new URL("../../docker-compose.yml", import.meta.url));

/** Longer than the `start_period` of the Compose file, on a machine that is busy with other tests. */
const healthyWithinMs = 300_000;

/** A container: the properties of `docker inspect` that are read. */
interface Inspected {
  readonly Id: string;
  readonly State: {
    readonly Running: boolean;
    readonly ExitCode: number;
    readonly Health?: { readonly Status: string };
  };
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean;
    readonly Privileged: boolean;
    readonly CapDrop: readonly string[] | null;
    readonly CapAdd: readonly string[] | null;
    readonly SecurityOpt: readonly string[] | null;
  };
}

/** The services of docker-compose.yml with their own name, ports and secrets. */
export interface ComposeProject {
  readonly url: string;
  readonly storageUrl: string;
  readonly adminUrl: string;
  /** Runs Compose for this project and returns its standard output. */
  compose(...args: string[]): Promise<string>;
  /** Running containers of a service. */
  containersOf(service: string): Promise<string[]>;
  inspect(container: string): Promise<Inspected>;
  /** Runs an operator command and parses its JSON. */
  operate<Result>(...args: string[]): Promise<Result>;
  /** Waits until all containers of a service are healthy. */
  untilHealthy(service: string, count: number): Promise<void>;
  /** Stops everything, and removes its data and secrets; only backups are left. */
  destroy(): Promise<void>;
  /** Stops and removes everything that belongs to the project. */
  remove(): Promise<void>;
}

/**
 * Sets up a project without starting it. The project's own command writes the secrets.
 *
 * @param settings content of its `.env`.
 */
export async function createComposeProject(
  engine: Engine,
  image: string,
  settings: string,
): Promise<ComposeProject> {
  const name = `atelier-test-${randomBytes(4).toString("hex")}`;
  // Relative paths of the Compose file, such as that of the secrets, are resolved in this folder.
  const directory = await mkdtemp(join(tmpdir(), `${name}-`));
  const [port = 0, adminPort = 0, storagePort = 0] = await freePorts(3);
  const url = `http://127.0.0.1:${port}`;
  const storageUrl = `http://127.0.0.1:${storagePort}`;
  const environment = {
    ATELIER_IMAGE: image,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    STORAGE_PORT: String(storagePort),
    PUBLIC_URL: url,
    STORAGE_PUBLIC_URL: storageUrl,
    COMPOSE_IGNORE_ORPHANS: "true",
  };
  const compose: ComposeProject["compose"] = (...args) =>
    engine.compose(
      ["--project-name", name, "--project-directory", directory, "--file", composeFile, ...args],
      { environment },
    );

  const inspect: ComposeProject["inspect"] = async (container) => {
    const [found] = JSON.parse(await engine.docker(["inspect", container])) as Inspected[];
    if (found === undefined) throw new Error(`container ${container} does not exist`);
    return found;
  };

  const containersOf: ComposeProject["containersOf"] = async (service) => {
    const label = (key: string, value: string) => [
      "--filter",
      `label=com.docker.compose.${key}=${value}`,
    ];
    const ids = await engine.docker([
      "ps",
      "--quiet",
      ...label("project", name),
      ...label("service", service),
      ...label("oneoff", "False"),
    ]);
    return ids.split("\n").filter((id) => id !== "");
  };

  // Writable for the secrets command, which runs as the user who owns the files.
  await mkdir(join(directory, "deploy/compose"), { recursive: true });
  await chmod(directory, 0o755);
  await cp(proxyFolder, join(directory, "deploy/haproxy"), { recursive: true });
  await writeFile(join(directory, ".env"), settings);
  await placeStorageSecrets(join(directory, "deploy/compose/secrets"), storageUrl);

  return {
    url,
    storageUrl,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    compose,
    containersOf,
    inspect,
    async operate(...args) {
      const line = await compose("run", "--rm", "-T", "cli", ...args, "--json");
      return JSON.parse(line.split("\n").at(-1) ?? "") as never;
    },
    async untilHealthy(service, count) {
      const endsAt = performance.now() + healthyWithinMs;
      let states: string[] = [];
      while (performance.now() < endsAt) {
        const found = await Promise.all((await containersOf(service)).map(inspect));
        states = found.map(({ State }) => State.Health?.Status ?? "without a health check");
        if (states.length === count && states.every((state) => state === "healthy")) return;
        await new Promise((wake) => setTimeout(wake, 250));
      }
      const logs = await compose("logs", "--tail", "20", service);
      throw new Error(`${service} did not become healthy: ${states.join(", ")}\n${logs}`);
    },
    async destroy() {
      await compose("down", "--volumes", "--timeout", "20");
      await rm(join(directory, "deploy/compose/secrets"), { recursive: true });
    },
    async remove() {
      await compose("down", "--volumes", "--timeout", "20");
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Keys in the form that OpenStack Swift, the stand-in for VersityGW, accepts: `account:user`. The
 * secrets command keeps files that exist.
 */
async function placeStorageSecrets(folder: string, publicUrl: string): Promise<void> {
  const secret = randomBytes(24).toString("base64url");
  const query = `tls=false&region=us-east-1&public=${encodeURIComponent(publicUrl)}`;
  const files = {
    s3_access_key: "test:tester",
    s3_secret_key: secret,
    storage_url: `s3://test%3Atester:${secret}@s3:7070/atelier?${query}`,
  };
  await mkdir(folder, { mode: 0o700 });
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), `${content}\n`, { mode: 0o644 });
  }
}
