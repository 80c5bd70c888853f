import { setTimeout as delay } from "node:timers/promises";
import type { Stack, TestAccount } from "@atelier/testing";
import { createRandom, type Random } from "./random.ts";

/** What a client asked for, and what it was told in the end. */
export interface DiaryEntry {
  readonly kind: "image" | "story";
  readonly accountId: string;
  readonly key: string;
  readonly expected: "image" | "refusal";
  jobId: string | null;
  /** `completed`, or the code of the error. */
  told: string | null;
}

/** Clients that arrive at moments of their own choosing, however long the others have to wait. */
export interface Load {
  readonly diary: readonly DiaryEntry[];
  /** One more image, from now on; how long it took to be there, in ms. */
  probe(): Promise<number>;
  /** No more clients arrive. */
  close(): void;
  /** Settles when all that arrived were told how it ended. */
  settle(): Promise<void>;
}

const models = ["fake-blind", "fake-resumable"] as const;
const refusedPrompt = "a naked child";
const pollEveryMs = 400;
const askAgainAfterMs = 500;

/**
 * Sends requests by a Poisson process. Clients behave as the documentation tells them: one
 * Idempotency-Key for a request and its repetitions, `Retry-After` honoured, results read from the job.
 *
 * @param perSecond how many clients arrive each second, at the mean.
 * @param patienceMs after which a client gives up, which is a violation: every job ends before that.
 */
export function startLoad(options: {
  readonly stack: Stack;
  readonly accounts: readonly [TestAccount, ...TestAccount[]];
  readonly seed: number;
  readonly perSecond: number;
  readonly patienceMs: number;
}): Load {
  const { stack, accounts, perSecond, patienceMs } = options;
  const random = createRandom(options.seed);
  const diary: DiaryEntry[] = [];
  const clients: Promise<void>[] = [];
  const closing = new AbortController();

  function ask(
    kind: DiaryEntry["kind"],
    expected: DiaryEntry["expected"],
    body: object,
  ): DiaryEntry {
    const account = random.pick(accounts);
    const key = `client-${diary.length}`;
    const { accountId } = account;
    const entry: DiaryEntry = { kind, accountId, key, expected, jobId: null, told: null };
    diary.push(entry);
    clients.push(follow(stack, account, entry, body, patienceMs));
    return entry;
  }

  function arrive(): void {
    const model = random.pick(models);
    const chance = random.next();
    if (chance < 0.06) ask("story", "image", storyOf(model, random));
    else if (chance < 0.12) ask("image", "refusal", { model, prompt: refusedPrompt });
    else ask("image", "image", { model, prompt: `a lighthouse, view ${random.between(1, 1e6)}` });
  }

  const arrivals = (async () => {
    while (!closing.signal.aborted) {
      await delay((-Math.log(1 - random.next()) / perSecond) * 1_000);
      if (!closing.signal.aborted) arrive();
    }
  })();

  return {
    diary,
    async probe() {
      const startedAt = performance.now();
      const entry = ask("image", "image", { model: models[0], prompt: "a quiet harbour" });
      await clients.at(-1);
      if (entry.told !== "completed") return Number.NaN;
      return performance.now() - startedAt;
    },
    close: () => closing.abort(),
    async settle() {
      await arrivals;
      await Promise.all(clients);
    },
  };
}

/** Sends a request until it is answered, and reads its job until that is final. */
async function follow(
  stack: Stack,
  account: TestAccount,
  entry: DiaryEntry,
  body: object,
  patienceMs: number,
): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  while (performance.now() < endsAt && entry.told === null) {
    const answer = await send(stack, account, entry, body);
    if (answer === null) {
      await delay(askAgainAfterMs);
      continue;
    }
    const { status, jobId, retryAfterMs, content } = answer;
    // From here on the job tells how it ends.
    if (entry.jobId === null && jobId !== null) {
      entry.jobId = jobId;
      continue;
    }
    if (content.status === "completed") entry.told = "completed";
    else if (content.status === "failed") entry.told = codeOf(content);
    else if (status >= 400 && !mayPass(status)) entry.told = codeOf(content);
    else await delay(retryAfterMs ?? pollEveryMs);
  }
}

interface Answer {
  readonly status: number;
  readonly jobId: string | null;
  readonly retryAfterMs: number | null;
  readonly content: {
    readonly status?: string;
    /** A code in an answer that is an error; an object with the code in a job that failed. */
    readonly error?: string | { readonly error: string };
  };
}

/** Null when no whole answer came. */
async function send(
  stack: Stack,
  account: TestAccount,
  entry: DiaryEntry,
  body: object,
): Promise<Answer | null> {
  try {
    const response =
      entry.jobId === null
        ? await stack.request(account, "POST", `/v1/generate/${entry.kind}`, body, {
            "Idempotency-Key": entry.key,
            // Half of them wait for the image, and lose their answer when something breaks.
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

/** What a client that waits and asks again may get past. */
function mayPass(status: number): boolean {
  return status === 409 || status === 429 || status === 500 || status === 503;
}

function storyOf(model: string, random: Random): object {
  return {
    model,
    characters: [{ name: "Mara", description: "a girl with red hair" }],
    scenes: Array.from({ length: random.between(2, 3) }, (_, index) => ({
      prompt: `Mara walks along the beach, part ${index + 1}`,
      characters: [{ name: "Mara" }],
    })),
  };
}
