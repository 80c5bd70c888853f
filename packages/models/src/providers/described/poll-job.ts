import { unavailable, unknown } from "../http/call-ended.ts";
import { poll } from "../poll.ts";
import type { Description } from "./description.ts";
import { assertSuccess, sendOrder, type Exchange } from "./exchange.ts";
import { readText } from "./json-path.ts";
import { endCall, errorTextOf, isListed, type Answer } from "./rules.ts";
import type { TemplateValues } from "./template.ts";

type Polled = NonNullable<Description["poll"]>;

/**
 * Waits until a job has ended, and returns the answer that has its image.
 *
 * @param kept what the requests need of the answer that accepted the job.
 * @throws CallEnded
 */
export async function waitForResult(
  exchange: Exchange,
  polled: Polled,
  kept: TemplateValues,
  intervalMs: number,
): Promise<Answer> {
  const { cancel, result } = polled;
  const finished = await poll({
    ask: () => ask(exchange, polled, kept),
    ...(cancel !== undefined && {
      cancel: (signal: AbortSignal) =>
        sendOrder({ ...exchange, call: { ...exchange.call, signal } }, cancel, kept, "poll"),
    }),
    intervalMs,
    signal: exchange.call.signal,
  });
  if (result === undefined) return finished;
  const answer = await sendOrder(exchange, { method: "GET", ...result }, kept, "poll");
  return assertSuccess(exchange, answer, "result");
}

/** Asks once for the state of a job; null while it runs. */
async function ask(
  exchange: Exchange,
  polled: Polled,
  kept: TemplateValues,
): Promise<Answer | null> {
  const answer = await sendOrder(exchange, polled.status, kept, "poll");
  if (isListed(polled.lost, answer.response.status)) {
    throw unavailable("the provider no longer knows the job");
  }
  assertSuccess(exchange, answer, "poll");
  const state = readText(answer.json, polled.state);
  if (state === undefined) throw unknown("an answer to a poll without a state");
  if (Object.hasOwn(polled.failed, state)) {
    const { described } = exchange;
    const message = `the job ended as ${state}: ${errorTextOf(described, answer)}`;
    throw endCall(described, answer, polled.failed[state] ?? "unknown", message);
  }
  return polled.done.includes(state) ? answer : null;
}
