import type { Operation } from "@atelier/schemas";
import { ApiError, call } from "../api.ts";
import { accountQuery, queryClient } from "./queries.ts";
import { randomKey } from "./random-key.ts";

/** With the prefix of drafts, which are removed at signing out. Older versions kept requests under this name. */
const storagePrefix = "atelier.draft.order.";

/** The service recognizes an idempotency key for this long. */
const keptMs = 86_400_000;

/** A request that was sent, and whose response did not arrive yet. */
interface SentRequest {
  /** Its idempotency key. */
  readonly key: string;
  /** The request before it was completed, by which it is found again. */
  readonly content: string;
  readonly body: object;
  /** When it was sent last, in milliseconds. */
  readonly sentAt: number;
}

/** The unanswered requests of this page by their content, also without storage. */
const unanswered = new Map<string, SentRequest>();

/**
 * Sends a request that costs money, without waiting for its images. After a lost response, the same request is
 * sent with the same idempotency key, so that it is not made and charged twice: also after the form was closed,
 * after a reload, and from another tab.
 *
 * @param complete adds to the body what is known only when a new request is sent.
 * @returns the id of the job, also of one that a repeated request finds failed.
 */
export async function submitOnce<Body extends object>(
  operation: Operation,
  body: Body,
  complete: (body: Body) => Body | Promise<Body> = (one) => one,
): Promise<string> {
  const content = JSON.stringify({ operation, body });
  const request = unanswered.get(content) ??
    findStored(content) ?? { key: randomKey(), content, body: await complete(body) };
  keep({ ...request, sentAt: Date.now() });
  try {
    const response = await call(`POST /v1/generate/${operation}`, {
      body: request.body,
      headers: { Prefer: "respond-async", "Idempotency-Key": request.key },
    });
    forget(request);
    // A repeated request may find its job completed.
    return "job_id" in response ? response.job_id : response.id;
  } catch (error) {
    if (isAnswered(error)) forget(request);
    if (error instanceof ApiError && error.jobId !== null) return error.jobId;
    throw error;
  }
}

/** Reads the balance and the lists again, after a request was accepted. */
export function refreshAfterRequest(): void {
  void queryClient.invalidateQueries(accountQuery);
  void queryClient.invalidateQueries({ queryKey: ["jobs"] });
}

/** Whether it is certain what became of a request. */
function isAnswered(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === "idempotency_in_progress") return false;
  return error.jobId !== null || (error.status >= 400 && error.status < 500);
}

function keep(request: SentRequest): void {
  unanswered.set(request.content, request);
  try {
    localStorage.setItem(storagePrefix + request.key, JSON.stringify(request));
  } catch {
    // Without storage, the key lasts as long as the page.
  }
}

function forget({ content, key }: Pick<SentRequest, "content" | "key">): void {
  unanswered.delete(content);
  try {
    localStorage.removeItem(storagePrefix + key);
  } catch {
    // Nothing was kept.
  }
}

/** The unanswered request of this content, from any tab. Removes those whose keys the service has forgotten. */
function findStored(content: string): SentRequest | undefined {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(storagePrefix));
    const requests = names.map(
      (name) => JSON.parse(localStorage.getItem(name) ?? "") as SentRequest,
    );
    const oldest = Date.now() - keptMs;
    for (const request of requests) if (request.sentAt < oldest) forget(request);
    return requests.find((request) => request.content === content && request.sentAt >= oldest);
  } catch {
    return undefined;
  }
}
