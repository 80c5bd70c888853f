import { jobProgress, listedJob, type JobProgress, type ListedJob } from "@atelier/schemas";
import type { Stack, TestAccount } from "@atelier/testing";
import { createParser } from "eventsource-parser";

/** An event as a client receives it. */
export interface ReceivedEvent {
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly job: ListedJob;
  /** Date.now() at arrival. */
  readonly at: number;
}

export interface OpenStream {
  readonly response: Response;
  /** Comments received so far. */
  readonly comments: string[];
  /** Events of type `job.progress` received so far, which the others do not contain. */
  readonly progress: JobProgress[];
  /** The next event; null at the end of the stream. */
  next(): Promise<ReceivedEvent | null>;
  /** All further events up to the end of the stream. */
  rest(): Promise<ReceivedEvent[]>;
  close(): Promise<void>;
}

/** Opens an event stream and parses it with `eventsource-parser`. */
export async function openStream(
  { url = "", request }: Pick<Stack, "request"> & { readonly url?: string },
  account: Pick<TestAccount, "key">,
  path: string,
  lastEventId?: string,
): Promise<OpenStream> {
  const headers = lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId };
  const response =
    url === ""
      ? await request(account, "GET", path, undefined, headers)
      : await fetch(url + path, {
          headers: { Authorization: `Bearer ${account.key}`, ...headers },
        });
  const events: ReceivedEvent[] = [];
  const comments: string[] = [];
  const progress: JobProgress[] = [];
  const parser = createParser({
    onEvent({ id, event, data }) {
      const json: unknown = JSON.parse(data);
      if (event === "job.progress") progress.push(jobProgress.parse(json));
      else events.push({ id, type: event, job: listedJob.parse(json), at: Date.now() });
    },
    onComment: (comment) => comments.push(comment),
  });
  let reader: ReadableStreamDefaultReader<string> | undefined;

  async function next(): Promise<ReceivedEvent | null> {
    reader ??= response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const event = events.shift();
      if (event !== undefined) return event;
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return null;
      parser.feed(chunk.value);
    }
  }

  return {
    response,
    comments,
    progress,
    next,
    async rest() {
      const all: ReceivedEvent[] = [];
      for (let event = await next(); event !== null; event = await next()) all.push(event);
      return all;
    },
    async close() {
      await (reader ?? response.body)?.cancel();
    },
  };
}
