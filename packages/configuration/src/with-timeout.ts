/**
 * Waits for work that may hang, such as that of a service which takes connections and says nothing.
 * Work that takes longer goes on, and what comes of it is forgotten.
 *
 * @throws Error when there is no answer in time, and whatever the work rejects with.
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
