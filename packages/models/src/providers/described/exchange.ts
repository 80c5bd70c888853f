import type { AdapterCall } from "../http/adapter.ts";
import { CallEnded, unavailable } from "../http/call-ended.ts";
import { explainPollStatus, explainStatus } from "../http/explain-status.ts";
import type { HttpRequest, HttpResponse, Send } from "../http/send.ts";
import { encodeBody } from "./body.ts";
import type {
  DescribedAnswer,
  DescribedBody,
  DescribedRequest,
  Description,
} from "./description.ts";
import { fillHeaders, fillPath } from "./fill-address.ts";
import { readText } from "./json-path.ts";
import { readUsage } from "./read-usage.ts";
import {
  applyRules,
  errorTextOf,
  readAnswer,
  retryAfterOf,
  type Answer,
  type Moment,
} from "./rules.ts";
import type { TemplateFile, TemplateValues } from "./template.ts";

/** The parts that the requests of one call have in common. */
export interface Exchange {
  readonly described: Description;
  readonly send: Send;
  /** How the answers of this call are read. */
  readonly answers: DescribedAnswer;
  readonly call: AdapterCall;
}

/** A request whose path and headers are templates. */
interface Order extends DescribedBody {
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends the request that asks for an image.
 *
 * @throws CallEnded for an answer that is no success.
 */
export async function submit(
  exchange: Exchange,
  request: DescribedRequest,
  values: TemplateValues,
): Promise<Answer> {
  return assertSuccess(exchange, await sendOrder(exchange, request, values, "generate"), "submit");
}

/**
 * Uploads a file and returns its URL.
 *
 * @throws CallEnded, never `unknown`: no image was asked for yet.
 */
export async function uploadFile(
  exchange: Exchange,
  file: TemplateFile,
  values: TemplateValues,
): Promise<string> {
  const { upload } = exchange.described;
  if (upload === undefined) throw new Error("a description without upload");
  const fields = { ...values, image: file };
  try {
    const answer = await sendOrder(exchange, upload, fields, "generate");
    const url = readText(assertSuccess(exchange, answer, "submit").json, upload.url_at);
    if (url === undefined) throw unavailable("an upload without a URL");
    return url;
  } catch (error) {
    if (error instanceof CallEnded && error.outcome.kind === "unknown") {
      throw unavailable(error.outcome.message);
    }
    throw error;
  }
}

/** Sends one request of a call, whatever its answer is. */
export async function sendOrder(
  { call, described, send }: Pick<Exchange, "call" | "described" | "send">,
  order: Order,
  values: TemplateValues,
  purpose: HttpRequest["purpose"],
): Promise<Answer> {
  const encoded =
    order.json === undefined && order.form === undefined ? null : encodeBody(order, values);
  const response = await send({
    method: order.method,
    url: fillPath(order.path, values),
    headers: {
      ...(encoded === null ? {} : { "content-type": encoded.contentType }),
      ...fillHeaders(described.headers, values),
      ...fillHeaders(order.headers ?? {}, values),
    },
    ...(encoded === null ? {} : { body: encoded.body }),
    signal: call.signal,
    purpose,
  });
  return readAnswer(response);
}

/**
 * Reports what an answer states about cost, and returns it.
 *
 * @throws CallEnded for an answer that is no success.
 */
export function assertSuccess(
  { answers, call, described }: Pick<Exchange, "answers" | "call" | "described">,
  answer: Answer,
  moment: Moment,
): Answer {
  call.onUsage(readUsage(answers, answer));
  const ended = applyRules(described, answer, moment);
  if (ended !== null) throw ended;
  const { response } = answer;
  if (response.status >= 200 && response.status < 300) return answer;
  const text = errorTextOf(described, answer);
  if (moment !== "submit") throw explainPollStatus(response, text);
  throw explainStatus(withRetryAfter(described, answer), text);
}

/** Adds the header that a text of the answer replaces. */
function withRetryAfter(described: Description, answer: Answer): HttpResponse {
  const { response } = answer;
  const ms = retryAfterOf(described, answer);
  if (ms === null || response.headers["retry-after"] !== undefined) return response;
  return { ...response, headers: { ...response.headers, "retry-after": String(ms / 1_000) } };
}
