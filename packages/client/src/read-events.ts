/** One server-sent event. */
interface ServerEvent {
  readonly id: string | null;
  readonly type: string;
  readonly data: string;
}

interface ReadOptions {
  /** A stream that is silent for longer is broken; by default three heartbeats, in milliseconds. */
  readonly silenceMs?: number;
  /** Called whenever something arrives, also for heartbeats. */
  readonly onData?: () => void;
}

const defaultSilenceMs = 45_000;

/**
 * Reads server-sent events (HTML standard, 9.2.6), as far as the service uses them: fields with a
 * space after the colon, and lines that end with a line feed.
 *
 * @throws Error when nothing arrives for `silenceMs`.
 */
export async function* readEvents(
  stream: ReadableStream<Uint8Array> | null,
  { silenceMs = defaultSilenceMs, onData }: ReadOptions = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  if (stream === null) return;
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), silenceMs);
      onData?.();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withinTime<Result>(reading: Promise<Result>, silenceMs: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the event stream is silent")), silenceMs);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns null for a block without data, such as a heartbeat. */
function parseBlock(block: string): ServerEvent | null {
  const fields = new Map(
    block.split("\n").map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const data = fields.get("data");
  if (data === undefined) return null;
  return { id: fields.get("id") ?? null, type: fields.get("event") ?? "message", data };
}
