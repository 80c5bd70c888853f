import { setTimeout as delay } from "node:timers/promises";

/** Asks again until the answer is good, as a client polls; the test's own time-out ends it. */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  isGood: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (isGood(answer)) return answer;
    await delay(20);
  }
}
