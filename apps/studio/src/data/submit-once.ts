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

/** The requests that this page is sending, by their content. */
const sending = new Map<string, Promise<string>>();

/**
 * Sends a request that costs money, without waiting for its images. After a lost response, the same request is
 * sent with the same idempotency key, so that it is not made and charged twice: also after the form was closed,
 * after a reload, from another tab, and after the browser was closed. A second call while the first one is being
 * sent, such as that of a double click, returns the job of the first.
 *
 * @param complete adds to the body what is known only when a new request is sent, or returns the id of a job that
 *   has made the same meanwhile.
 * @returns the id of the job, also of one that a repeated request finds failed.
 */
export function submitOnce<Body extends object>(
  operation: Operation,
  body: Body,
  complete: (body: Body) => Body | Promise<Body | string> = (one) => one,
): Promise<string> {
  const content = JSON.stringify({ operation, body });
  const first = sending.get(content);
  if (first !== undefined) return first;
  const sent = submit(operation, content, async () => complete(body));
  sending.set(content, sent);
  const end = () => sending.delete(content);
  sent.then(end, end);
  return sent;
}

async function submit(
  operation: Operation,
  content: string,
  complete: () => Promise<object | string>,
): Promise<string> {
  const repeated = unanswered.get(content) ?? findStored(content);
  const body = repeated?.body ?? (await complete());
  if (typeof body === "string") return body;
  const request = { key: repeated?.key ?? randomKey(), content, body, sentAt: Date.now() };
  keep(request);
  try {
    const response = await call(`POST /v1/generate/${operation}`, {
      body,
      headers: { Prefer: "respond-async", "Idempotency-Key": request.key },
    });
    forget(request);
    // A repeated request may find its job completed.
    return "job_id" in response ? response.job_id : response.id;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.jobId !== null || isRefusal(error, repeated !== undefined)) forget(request);
    if (error.jobId !== null) return error.jobId;
    throw error;
  }
}

/** Reads the balance and the lists again, after a request was accepted. */
export function refreshAfterRequest(): void {
  void queryClient.invalidateQueries(accountQuery);
  void queryClient.invalidateQueries({ queryKey: ["jobs"] });
}

/**
 * Whether no job exists for a request that failed. A repeated request is refused, for example because the session
 * has ended or requests are too many, before the service looks for the job of the first one.
 */
function isRefusal({ code, status }: ApiError, isRepeated: boolean): boolean {
  return code === "idempotency_key_reused" || (!isRepeated && status >= 400 && status < 500);
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
