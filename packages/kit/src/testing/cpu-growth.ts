/**
 * Measures how many times the CPU time of this thread grows when a text gets 8 times as long: about 8 for linear
 * work, and 64 for quadratic work. Returns the smallest of three measurements, since compilation and garbage
 * collection add to single ones. Times below 2 ms count as 2 ms.
 *
 * @param run works on a text of that length.
 */
export function cpuGrowth(run: (length: number) => unknown, length: number): number {
  const cpuMsOf = (of: number) => {
    const before = process.threadCpuUsage();
    run(of);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  const growths = Array.from({ length: 3 }, () => {
    const shortMs = Math.max(cpuMsOf(length), 2);
    return cpuMsOf(8 * length) / shortMs;
  });
  return Math.min(...growths);
}
