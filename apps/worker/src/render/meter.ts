/** Resources used by a render. */
export interface RenderCost {
  /** CPU time in milliseconds, including that of decoding references. */
  readonly cpuMs: number;
  /** Peak memory of the worker during the render plus that of its decoding process, in bytes. */
  readonly peakBytes: number;
}

/** Measures one render. */
interface RenderMeter {
  /** Adds the cost of another process that worked for the render. */
  add(cost: RenderCost): void;
  end(): RenderCost;
}

/** Measures the renders of a process. */
export interface Meter {
  begin(): RenderMeter;
  /** Samples the memory; called between the steps of renders. */
  sample(): void;
}

interface Reading {
  /** CPU time of the process so far, in milliseconds. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/**
 * Divides the CPU time of this process equally among the renders in progress, since the time of encoder
 * and signer threads cannot be attributed to one image. With one render at a time the result is exact.
 *
 * @param read reads CPU time and memory; of this process by default, replaced in tests.
 */
export function createMeter(read: () => Reading = readProcess): Meter {
  const renders = new Set<{ peakBytes: number }>();
  let countedCpuMs = 0;
  /** Accumulated share of a render that has been in progress all the time, in milliseconds. */
  let shareMs = 0;

  function sample(): void {
    const { cpuMs, residentBytes } = read();
    if (renders.size > 0) shareMs += (cpuMs - countedCpuMs) / renders.size;
    countedCpuMs = cpuMs;
    for (const render of renders) render.peakBytes = Math.max(render.peakBytes, residentBytes);
  }

  return {
    sample,
    begin() {
      sample();
      const own = { peakBytes: 0 };
      const otherProcesses = { cpuMs: 0, peakBytes: 0 };
      const shareAtBegin = shareMs;
      renders.add(own);
      sample();
      return {
        add({ cpuMs, peakBytes }) {
          otherProcesses.cpuMs += cpuMs;
          otherProcesses.peakBytes = Math.max(otherProcesses.peakBytes, peakBytes);
        },
        end() {
          sample();
          renders.delete(own);
          return {
            cpuMs: shareMs - shareAtBegin + otherProcesses.cpuMs,
            peakBytes: own.peakBytes + otherProcesses.peakBytes,
          };
        },
      };
    },
  };
}

function readProcess(): Reading {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1_000, residentBytes: process.memoryUsage.rss() };
}
