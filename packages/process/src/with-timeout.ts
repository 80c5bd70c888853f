/**
 * Waits for work that may hang, such as a request to a service that never responds. After the timeout the
 * work continues and its result is ignored.
 *
 * @throws Error on timeout, or the error of the work.
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no response in time")), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
