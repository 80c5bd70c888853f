/** A message from a limited process to its parent. */
export type LimitedMessage<Answer> =
  /** The program is loaded and has received the request. */
  | { readonly kind: "started" }
  /** Current memory usage during a request; also serves as a heartbeat. */
  | { readonly kind: "memory"; readonly residentBytes: number }
  | { readonly kind: "answer"; readonly answer: Answer; readonly cpuMs: number };

const reportEveryMs = 20;

/**
 * Answers the requests of `createLimitedProcess` in its child process, and reports memory usage
 * while it works. An error that the handler throws ends this process, and the parent's request
 * fails.
 */
export function serveRequests<Answer>(handle: (request: never) => Promise<Answer>): void {
  const sendMessage = (message: LimitedMessage<Answer>) => process.send?.(message);

  async function answer(request: never): Promise<void> {
    sendMessage({ kind: "started" });
    const cpuBefore = process.cpuUsage();
    const reports = setInterval(() => {
      sendMessage({ kind: "memory", residentBytes: process.memoryUsage.rss() });
    }, reportEveryMs);
    try {
      const answered = await handle(request);
      const { user, system } = process.cpuUsage(cpuBefore);
      sendMessage({ kind: "answer", answer: answered, cpuMs: (user + system) / 1_000 });
    } finally {
      clearInterval(reports);
    }
  }

  process.on("message", (request) => void answer(request as never));

  // The parent has exited or closed the channel.
  process.on("disconnect", () => process.exit());
}
