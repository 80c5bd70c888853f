import { expect, it } from "vitest";
import { refused, unknown } from "./http/call-ended.ts";
import { delayAfter, poll } from "./poll.ts";

/** Polls with scripted results, then returns a final result; counts the polls. */
function script(...answers: readonly (Error | null)[]) {
  const remaining = [...answers];
  let polls = 0;
  const options = {
    async ask() {
      polls += 1;
      const response = remaining.shift();
      if (response instanceof Error) throw response;
      return response === undefined ? "image" : null;
    },
    intervalMs: 1,
    signal: new AbortController().signal,
  };
  return { options, polls: () => polls };
}

it("polls until the call has ended", async () => {
  const { options, polls } = script(null, null);
  expect(await poll(options)).toBe("image");
  expect(polls()).toBe(3);
});

it("continues polling after a failed poll, since the call is paid for", async () => {
  const failure = unknown("status 503");
  const { options } = script(
    failure,
    failure,
    null,
    failure,
    failure,
    failure,
    failure,
    failure,
    null,
  );
  expect(await poll(options)).toBe("image");
});

it("gives up after six failed polls in a row", async () => {
  const failure = unknown("status 503");
  const { options, polls } = script(null, ...Array.from({ length: 20 }, () => failure));
  await expect(poll(options)).rejects.toBe(failure);
  expect(polls()).toBe(7);
});

it("stops polling when the call is aborted", async () => {
  const policy = refused("request", []);
  const { options, polls } = script(policy);
  await expect(poll(options)).rejects.toBe(policy);
  expect(polls()).toBe(1);
});

it.each([
  [0, 1_000, 1_000],
  [3, 1_000, 8_000],
  [5, 1_000, 15_000],
  [0, 60_000, 60_000],
  [5, 60_000, 60_000],
])("after %i failures and an interval of %i ms, waits %i ms", (failures, intervalMs, delay) => {
  expect(delayAfter(failures, intervalMs)).toBe(delay);
});
