import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
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
}

export async function findPrometheus(
  log: (line: string) => void,
): Promise<PrometheusPrograms | Unavailable> {
  const installed = { prometheus: "prometheus", promtool: "promtool" };
  const works = await Promise.all(
    Object.values(installed).map((program) =>
      execute(program, ["--version"]).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (works.every(Boolean)) return installed;
  const packages = ["prometheus"];
  const unpacked = await unpackDebianPackages({ name: "prometheus", packages, log });
  if ("unavailable" in unpacked) return unpacked;
  const program = (name: string) => join(unpacked.root, "usr/bin", name);
  return { prometheus: program("prometheus"), promtool: program("promtool") };
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
    isReady: () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
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
