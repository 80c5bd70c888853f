import { expect, it } from "vitest";
import { refused, unknown } from "./http/call-ended.ts";
import { poll } from "./poll.ts";

/** Asks as the answers say, and then that the call has ended; counts the questions. */
function script(...answers: readonly (Error | null)[]) {
  const left = [...answers];
  let questions = 0;
  const options = {
    async ask() {
      questions += 1;
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
      return answer === undefined ? "image" : null;
    },
    intervalMs: 1,
    signal: new AbortController().signal,
  };
  return { options, questions: () => questions };
}

it("asks until the call has ended", async () => {
  const { options, questions } = script(null, null);
  expect(await poll(options)).toBe("image");
  expect(questions()).toBe(3);
});

it("asks again when a question comes to nothing: the call is paid for", async () => {
  const lost = unknown("status 503");
  const { options } = script(lost, lost, null, lost, lost, lost, lost, lost, null);
  expect(await poll(options)).toBe("image");
});

it("gives up after six questions in a row that come to nothing", async () => {
  const lost = unknown("status 503");
  const { options, questions } = script(null, ...Array.from({ length: 20 }, () => lost));
  await expect(poll(options)).rejects.toBe(lost);
  expect(questions()).toBe(7);
});

it("takes what ends the call for that", async () => {
  const policy = refused("request", []);
  const { options, questions } = script(policy);
  await expect(poll(options)).rejects.toBe(policy);
  expect(questions()).toBe(1);
});
