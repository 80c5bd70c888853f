import { execFileSync, spawnSync } from "node:child_process";

/** How Postgres is started: it refuses to run as root, so root starts it as the user `postgres`. */
export interface RunAs {
  /** Who owns the data; null where that is simply the current user. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** Command and arguments to put before the program; empty where none is needed. */
  readonly prefix: readonly string[];
}

/** As whom Postgres runs on this machine; makes the user `postgres` when root needs it. */
export function decideRunAs(): RunAs {
  if (process.getuid?.() !== 0) return { owner: null, prefix: [] };
  const owner = findOrMakePostgresUser();
  return { owner, prefix: setpriv(owner) };
}

/**
 * The same, with the one capability to pass through folders that are closed to others,
 * such as a checkout below `/root`: narrower than opening those folders to everyone.
 *
 * @throws Error with what to do when this machine does not grant it.
 */
export function allowToEnter(runAs: RunAs, directory: string): RunAs {
  if (runAs.owner === null || mayEnter(runAs, directory)) return runAs;
  for (const capability of ["dac_read_search", "dac_override"]) {
    const wider = { owner: runAs.owner, prefix: setpriv(runAs.owner, capability) };
    if (mayEnter(wider, directory)) return wider;
  }
  throw new Error(
    `Postgres does not run as root, and the user "postgres" may not enter ${directory}. ` +
      "Set ATELIER_HOME to a folder that every user may enter, or start Atelier as an ordinary user.",
  );
}

/** Whether that user reaches the path. */
export function mayEnter(runAs: RunAs, path: string): boolean {
  const [command, ...args] = [...runAs.prefix, "ls", path];
  return spawnSync(command ?? "ls", args, { cwd: "/", stdio: "ignore" }).status === 0;
}

function setpriv(owner: { uid: number; gid: number }, capability?: string): readonly string[] {
  const grant =
    capability === undefined ? [] : [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`];
  return [
    "setpriv",
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    "--clear-groups",
    ...grant,
    "--",
  ];
}

function findOrMakePostgresUser(): { uid: number; gid: number } {
  const find = () => ({ uid: numericId("-u"), gid: numericId("-g") });
  try {
    return find();
  } catch {
    execFileSync("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]);
    return find();
  }
}

function numericId(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "postgres"], { stdio: ["ignore", "pipe", "ignore"] }));
}
