import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  freePorts,
  startServerProcess,
  unpackDebianPackages,
  type Unavailable,
} from "@atelier/local-services";

const execute = promisify(execFile);

/** The Prometheus programs: those on the PATH, or else Debian's, unpacked into the cache. */
export interface PrometheusPrograms {
  readonly prometheus: string;
  readonly promtool: string;
  readonly alertmanager: string;
  readonly nodeExporter: string;
  /** Folder that Debian's Alertmanager expects as `/usr/share`; absent when it is installed. */
  readonly share?: string;
}

export async function findPrometheus(
  log: (line: string) => void,
): Promise<PrometheusPrograms | Unavailable> {
  const installed = {
    prometheus: "prometheus",
    promtool: "promtool",
    alertmanager: "prometheus-alertmanager",
    nodeExporter: "prometheus-node-exporter",
  };
  const works = await Promise.all(
    Object.values(installed).map((program) =>
      execute(program, ["--version"]).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (works.every(Boolean)) return installed;
  const packages = ["prometheus", "prometheus-alertmanager", "prometheus-node-exporter"];
  const unpacked = await unpackDebianPackages({ name: "monitoring", packages, log });
  if ("unavailable" in unpacked) return unpacked;
  const program = (name: string) => join(unpacked.root, "usr/bin", name);
  return {
    prometheus: program("prometheus"),
    promtool: program("promtool"),
    alertmanager: program("prometheus-alertmanager"),
    nodeExporter: program("prometheus-node-exporter"),
    share: join(unpacked.root, "usr/share"),
  };
}

/** One series of the result of a query. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  /** Time in seconds, and the value as text. */
  readonly value: readonly [number, string];
}

/** A rule: the properties that are read. */
export interface Rule {
  readonly name: string;
  readonly health: "ok" | "err" | "unknown";
  readonly lastError?: string;
  readonly state: "inactive" | "pending" | "firing";
}

export interface RunningPrometheus {
  query(expression: string): Promise<readonly Sample[]>;
  /** The health of each target by its scrape URL. */
  targets(): Promise<ReadonlyMap<string, string>>;
  rules(): Promise<readonly Rule[]>;
  stop(): Promise<void>;
}

/**
 * | @param configuration in the format of `prometheus.yml`; file names in it are relative to
 * `directory`.
 */
export async function startPrometheus(
  program: string,
  directory: string,
  configuration: string,
): Promise<RunningPrometheus> {
  await mkdir(directory, { recursive: true });
  const file = join(directory, "prometheus.yml");
  await writeFile(file, configuration);
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const { stop } = await startServerProcess({
    name: "prometheus",
    command: program,
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(directory, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=warn",
    ],
    directory,
    isReady: () => responds(`${url}/-/ready`),
    timeoutMs: 60_000,
  });
  async function read<Data>(path: string): Promise<Data> {
    const response = await fetch(`${url}/api/v1/${path}`);
    const { status, data, error } = (await response.json()) as {
      status: string;
      data: Data;
      error?: string;
    };
    if (status !== "success") throw new Error(`${path}: ${error}`);
    return data;
  }
  return {
    async query(expression) {
      const path = `query?query=${encodeURIComponent(expression)}`;
      return (await read<{ result: Sample[] }>(path)).result;
    },
    async targets() {
      interface Targets {
        readonly activeTargets: readonly { readonly scrapeUrl: string; readonly health: string }[];
      }
      const { activeTargets } = await read<Targets>("targets");
      return new Map(activeTargets.map(({ scrapeUrl, health }) => [scrapeUrl, health]));
    },
    async rules() {
      const { groups } = await read<{ groups: { rules: Rule[] }[] }>("rules");
      return groups.flatMap(({ rules }) => rules);
    },
    stop,
  };
}

/**
 * Starts Alertmanager as the Compose file does, with `deploy/alertmanager/start.sh`.
 *
 * @param environment its `ALERT_…` variables.
 * @returns its host and port.
 */
export async function startAlertmanager(
  { alertmanager: program, share }: PrometheusPrograms,
  directory: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly address: string; stop(): Promise<void> }> {
  await mkdir(directory, { recursive: true });
  const script = fileURLToPath(new URL("../../deploy/alertmanager/start.sh", import.meta.url));
  const [port = 0] = await freePorts(1);
  const address = `127.0.0.1:${port}`;
  const { stop } = await startServerProcess({
    name: "alertmanager",
    // Debian's reads templates from /usr/share: with a view of its own, nothing is written there. Needs root.
    command: share === undefined ? "env" : "unshare",
    args: [
      ...(share === undefined ? [] : ["--mount", "sh", "-c", mountShare, share]),
      "/bin/sh",
      script,
      directory,
      program,
      `--storage.path=${join(directory, "data")}`,
      `--web.listen-address=${address}`,
      "--cluster.listen-address=",
    ],
    directory,
    environment: { PATH: process.env["PATH"] ?? "", ...environment },
    isReady: () => responds(`http://${address}/-/ready`),
    timeoutMs: 60_000,
  });
  return { address, stop };
}

const mountShare = 'mount -t overlay overlay -o "lowerdir=$0:/usr/share" /usr/share && exec "$@"';

/** Starts node_exporter with the options of the Compose file, for the disks of this machine. */
export async function startNodeExporter(
  program: string,
  directory: string,
): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const [port = 0] = await freePorts(1);
  const address = `127.0.0.1:${port}`;
  const { stop } = await startServerProcess({
    name: "node-exporter",
    command: program,
    args: [
      "--collector.disable-defaults",
      "--collector.filesystem",
      `--web.listen-address=${address}`,
    ],
    directory,
    isReady: () => responds(`http://${address}/metrics`),
    timeoutMs: 60_000,
  });
  return { address, stop };
}

function responds(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
