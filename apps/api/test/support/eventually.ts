import { setTimeout as delay } from "node:timers/promises";

/** Polls until the result satisfies a condition; the test's timeout bounds it. */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  isGood: (result: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (isGood(answer)) return answer;
    await delay(20);
  }
}
