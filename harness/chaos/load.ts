import { setTimeout as delay } from "node:timers/promises";
import type { Operation } from "@atelier/schemas";
import type { Stack, TestAccount } from "@atelier/testing";
import { createRandom } from "../shared/random.ts";
import {
  drawnRequest,
  fixedRequest,
  makePictures,
  type ClientRequest,
  type Sources,
} from "./requests.ts";
import { createUploader, type UploadRecord } from "./uploads.ts";

/** A client's request and its outcome as the client saw it. */
export interface DiaryEntry {
  readonly operation: Operation;
  readonly accountId: string;
  readonly key: string;
  readonly expected: "image" | "refusal";
  jobId: string | null;
  /** `completed`, or the code of the error. */
  outcome: string | null;
  /** When the client gave up, in milliseconds since 1970; null if it did not. */
  gaveUpAt: number | null;
}

/** Clients that arrive independently of each other's response times. */
export interface Load {
  readonly diary: readonly DiaryEntry[];
  readonly uploads: readonly UploadRecord[];
  /** Sends one additional request now; returns how long its image took, in ms. */
  probe(): Promise<number>;
  /** Sends as many requests of one account at once; returns the id of the account. */
  burst(requests: number): string;
  /** Stops the arrival of clients. */
  close(): void;
  /** Settles when all clients know their outcome. */
  settle(): Promise<void>;
}

const pollEveryMs = 400;
const retryDelayMs = 500;

/**
 * Sends requests as a Poisson process. Clients follow the documentation: one Idempotency-Key for a
 * request and its retries, `Retry-After` respected, results read from the job.
 *
 * @param perSecond mean number of arriving clients per second.
 * @param patienceMs time after which a client gives up. It is a violation if its job had ended
 *   before.
 */
export async function startLoad(options: {
  readonly stack: Stack;
  readonly accounts: readonly [TestAccount, ...TestAccount[]];
  readonly seed: number;
  readonly perSecond: number;
  readonly patienceMs: number;
}): Promise<Load> {
  const { stack, accounts, perSecond, patienceMs } = options;
  const random = createRandom(options.seed);
  const diary: DiaryEntry[] = [];
  const clients: Promise<void>[] = [];
  const closing = new AbortController();

  const pictures = await makePictures();
  const uploads: UploadRecord[] = [];
  /** Uploads that clients delete while their jobs use them. */
  const deletions: Promise<void>[] = [];

  /** The images that a client of an account can refer to. */
  function sourcesOf(account: TestAccount): Sources {
    const endsAt = performance.now() + patienceMs;
    const uploader = createUploader({ stack, account, endsAt, retryDelayMs }, uploads);
    const completed = diary.filter(
      ({ accountId, operation, outcome }) =>
        accountId === account.accountId && operation === "image" && outcome === "completed",
    );
    return {
      pictures,
      upload: uploader.upload,
      earlierJob: () => completed[random.between(0, completed.length - 1)]?.jobId ?? null,
      deleteUploads: (ids) => void deletions.push(uploader.remove(ids)),
    };
  }

  function ask(
    { operation, expected, makeBody }: ClientRequest,
    account = random.pick(accounts),
  ): DiaryEntry {
    const key = `client-${diary.length}`;
    const { accountId } = account;
    const entry: DiaryEntry = {
      operation,
      accountId,
      key,
      expected,
      jobId: null,
      outcome: null,
      gaveUpAt: null,
    };
    diary.push(entry);
    const client = makeBody(sourcesOf(account)).then(
      (request) => follow(stack, account, entry, request, patienceMs),
      () => {
        entry.gaveUpAt = Date.now();
      },
    );
    clients.push(client);
    return entry;
  }

  const arrivals = (async () => {
    while (!closing.signal.aborted) {
      await delay((-Math.log(1 - random.next()) / perSecond) * 1_000);
      if (!closing.signal.aborted) ask(drawnRequest(random));
    }
  })();

  return {
    diary,
    uploads,
    async probe() {
      const startedAt = performance.now();
      const entry = ask(fixedRequest);
      await clients.at(-1);
      if (entry.outcome !== "completed") return Number.NaN;
      return performance.now() - startedAt;
    },
    burst(requests) {
      const [account] = accounts;
      for (let request = 0; request < requests; request++) ask(fixedRequest, account);
      return account.accountId;
    },
    close: () => closing.abort(),
    async settle() {
      await arrivals;
      await Promise.all(clients);
      await Promise.all(deletions);
    },
  };
}

/** Sends a request until it gets a response, and polls its job until that is final. */
async function follow(
  stack: Stack,
  account: TestAccount,
  entry: DiaryEntry,
  { body, onAccepted }: { readonly body: object; readonly onAccepted: () => void },
  patienceMs: number,
): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  while (entry.outcome === null) {
    if (performance.now() >= endsAt) {
      entry.gaveUpAt = Date.now();
      return;
    }
    const answer = await send(stack, account, entry, body);
    if (answer === null) {
      await delay(retryDelayMs);
      continue;
    }
    const { status, jobId, retryAfterMs, content } = answer;
    // From here on, the job has the outcome.
    if (entry.jobId === null && jobId !== null) {
      entry.jobId = jobId;
      onAccepted();
      continue;
    }
    if (content.status === "completed") entry.outcome = "completed";
    else if (content.status === "failed") entry.outcome = codeOf(content);
    else if (status >= 400 && !isRetryable(status)) entry.outcome = codeOf(content);
    else await delay(retryAfterMs ?? pollEveryMs);
  }
}

interface Answer {
  readonly status: number;
  readonly jobId: string | null;
  readonly retryAfterMs: number | null;
  readonly content: {
    readonly status?: string;
    /** A code in an error response; an object with the code in a failed job. */
    readonly error?: string | { readonly error: string };
  };
}

/** Returns null unless a complete response was received. */
async function send(
  stack: Stack,
  account: TestAccount,
  entry: DiaryEntry,
  body: object,
): Promise<Answer | null> {
  try {
    const response =
      entry.jobId === null
        ? await stack.request(account, "POST", `/v1/generate/${entry.operation}`, body, {
            "Idempotency-Key": entry.key,
            // Half of the clients wait for the image, so faults can break their connection.
            ...(Number(entry.key.at(-1)) % 2 === 0 ? { Prefer: "respond-async" } : {}),
          })
        : await stack.request(account, "GET", `/v1/jobs/${entry.jobId}`);
    const content = (await response.json()) as Answer["content"];
    const retryAfter = response.headers.get("Retry-After");
    const retryAfterMs = retryAfter === null ? null : Number(retryAfter) * 250;
    const jobId = response.headers.get("X-Service-Job-Id");
    return { status: response.status, jobId, retryAfterMs, content };
  } catch {
    return null;
  }
}

function codeOf({ error = "no code" }: Answer["content"]): string {
  return typeof error === "string" ? error : error.error;
}

/** Whether a retry may succeed. */
function isRetryable(status: number): boolean {
  return status === 409 || status === 429 || status === 500 || status === 503;
}
