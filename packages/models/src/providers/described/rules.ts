import { parseRetryAfter } from "@atelier/kit";
import {
  invalidRequest,
  outOfQuota,
  rateLimited,
  refused,
  unavailable,
  unknown,
  type CallEnded,
} from "../http/call-ended.ts";
import type { HttpResponse } from "../http/send.ts";
import type { DescribedRule, Description } from "./description.ts";
import { readPath, readText } from "./json-path.ts";

/** An answer of the vendor; `json` is undefined when the body is not JSON. */
export interface Answer {
  readonly response: HttpResponse;
  readonly json: unknown;
}

/** Which request an answer is for. */
export type Moment = DescribedRule["on"][number];

/** Expressions see at most this many characters, so that an answer costs bounded time. */
const maxTested = 2_000;

/** Parses the body of an answer if it is JSON. */
export function readAnswer(response: HttpResponse): Answer {
  try {
    return { response, json: JSON.parse(response.body.toString("utf8")) };
  } catch {
    return { response, json: undefined };
  }
}

/** The text of an error, for the operator. */
export function errorTextOf({ error_at }: Pick<Description, "error_at">, { json }: Answer): string {
  return readText(json, error_at) ?? "";
}

/** How the rules of a description end a call with an answer; null when no rule fits. */
export function applyRules(
  described: Pick<Description, "error_at" | "outcomes" | "retry_after">,
  answer: Answer,
  moment: Moment,
): CallEnded | null {
  const rule = described.outcomes.find((one) => one.on.includes(moment) && fits(one, answer));
  if (rule === undefined) return null;
  const message = `status ${answer.response.status}: ${errorTextOf(described, answer)}`;
  if (rule.outcome !== "refused") return endCall(described, answer, rule.outcome, message);
  const found = rule.categories_at === undefined ? [] : readPath(answer.json, rule.categories_at);
  return refused(rule.stage, [
    ...rule.categories,
    ...found.flat().filter((category) => typeof category === "string"),
  ]);
}

/** How a call ends with an outcome that a description names. */
export function endCall(
  described: Pick<Description, "error_at" | "retry_after">,
  answer: Answer,
  outcome: DescribedRule["outcome"],
  message: string,
): CallEnded {
  switch (outcome) {
    case "refused":
      return refused(null, []);
    case "rate_limited":
      return rateLimited(retryAfterOf(described, answer));
    case "out_of_quota":
      return outOfQuota(message);
    case "invalid_request":
      return invalidRequest(message);
    case "unavailable":
      return unavailable(message, retryAfterOf(described, answer));
    case "unknown":
      return unknown(message);
  }
}

/** The milliseconds until the next call that an answer asks for; null without. */
export function retryAfterOf(
  described: Pick<Description, "error_at" | "retry_after">,
  answer: Answer,
): number | null {
  const fromHeader = parseRetryAfter(answer.response.headers["retry-after"]);
  if (fromHeader !== null || described.retry_after === undefined) return fromHeader;
  const text = errorTextOf(described, answer).slice(0, maxTested);
  const [, seconds] = new RegExp(described.retry_after.matches, "i").exec(text) ?? [];
  const ms = seconds === undefined ? Number.NaN : Number(seconds) * 1_000;
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

/** Whether a status is listed, as a number or as a class such as `5xx`. */
export function isListed(
  listed: readonly (number | string)[],
  status: HttpResponse["status"],
): boolean {
  return listed.some((one) => one === status || one === `${Math.floor(status / 100)}xx`);
}

function fits({ all, status }: DescribedRule, answer: Answer): boolean {
  if (status.length > 0 && !isListed(status, answer.response.status)) return false;
  return all.every((test) => passes(test, answer));
}

function passes(
  { at, equals, exists, header, matches }: DescribedRule["all"][number],
  { json, response }: Answer,
): boolean {
  const found = at === undefined ? [response.headers[header ?? ""]] : readPath(json, at);
  const values = found.filter((value) => value !== undefined);
  if (exists !== undefined) return values.length > 0 === exists;
  if (equals !== undefined) return values.some((value) => equals.some((one) => one === value));
  const expression = new RegExp(matches ?? "", "i");
  return values.some(
    (value) => typeof value === "string" && expression.test(value.slice(0, maxTested)),
  );
}
