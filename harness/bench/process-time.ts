import { readdir, readFile } from "node:fs/promises";

/** CPU time is counted in ticks of USER_HZ, which is 100 in all programs (time(7)). */
const ticksPerSecond = 100;

/**
 * Reads the CPU time of processes and all their descendants, also of those that have ended, in seconds:
 * the kernel's own statistics (proc_pid_stat(5)). Linux only.
 */
export async function readProcessTime(...pids: readonly number[]): Promise<number> {
  const children = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // A process may have ended since.
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => null);
    if (stat === null) continue;
    // The second field is the name in parentheses, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const parent = Number(fields[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    // utime, stime, cutime and cstime.
    ticks.set(
      Number(name),
      fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    );
  }
  const sumOf = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + sumOf(child), ticks.get(pid) ?? 0);
  return pids.reduce((sum, pid) => sum + sumOf(pid), 0) / ticksPerSecond;
}
