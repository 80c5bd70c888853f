interface Pool {
  close(): Promise<void>;
}

/** Pools of this vitest worker, by the settings that they were started with. */
const pools = new Map<string, Promise<Pool>>();

/**
 * Returns the pool of threads that the programs of this process share: the first one with these settings
 * starts it, and it ends with the process. To start its threads takes half of the CPU time of a stack.
 *
 * @param settings everything that its threads depend on, as JSON.
 */
export async function sharePool<P extends Pool>(
  settings: unknown,
  start: () => P | Promise<P>,
): Promise<P> {
  const key = JSON.stringify(settings);
  let pool = pools.get(key) as Promise<P> | undefined;
  if (pool === undefined) {
    pool = Promise.resolve(start());
    pools.set(key, pool);
    // The next program tries again.
    pool.catch(() => pools.delete(key));
  }
  return { ...(await pool), close: async () => undefined };
}
