import { execFileSync, spawnSync } from "node:child_process";

/** The user that runs Postgres: it refuses to run as root, so root starts it as `postgres`. */
export interface RunAs {
  /** Owner of the data; null for the current user. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** Command and arguments to prepend to the program; may be empty. */
  readonly prefix: readonly string[];
}

/** Selects the user that runs Postgres, and creates the user `postgres` when this process is root. */
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
  if (runAs.owner === null || canEnter(runAs, directory)) return runAs;
  for (const capability of ["dac_read_search", "dac_override"]) {
    const wider = { owner: runAs.owner, prefix: setpriv(runAs.owner, capability) };
    if (canEnter(wider, directory)) return wider;
  }
  throw new Error(
    `Postgres does not run as root, and the user "postgres" may not enter ${directory}. ` +
      "Set ATELIER_HOME to a folder that every user may enter, or start Atelier as an ordinary user.",
  );
}

/** Whether that user can access the path. */
export function canEnter(runAs: RunAs, path: string): boolean {
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
