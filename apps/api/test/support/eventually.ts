import { setTimeout as delay } from "node:timers/promises";

const longestWaitMs = 200;

/**
 * Polls until the result satisfies a condition; the test's timeout bounds it. It waits longer each time,
 * since a poll costs the service as much as any request.
 */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  isGood: (result: Answer) => boolean,
): Promise<Answer> {
  for (let waitMs = 20; ; waitMs = Math.min(1.5 * waitMs, longestWaitMs)) {
    const answer = await ask();
    if (isGood(answer)) return answer;
    await delay(waitMs);
  }
}
