import { readFile } from "node:fs/promises";

/**
 * Reads the resident memory of a process, now and at its peak, in MB of 10^6 bytes: the kernel's own
 * statistics (proc_pid_status(5)). Linux only.
 */
export async function readMemory(pid: number): Promise<{ nowMb: number; peakMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const megabytes = (field: string) => {
    const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
    return (Number(kibibytes) * 1_024) / 1_000_000;
  };
  return { nowMb: megabytes("VmRSS"), peakMb: megabytes("VmHWM") };
}
