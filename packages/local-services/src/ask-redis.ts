import { setTimeout as delay } from "node:timers/promises";

import { Redis } from "ioredis";

type Command = readonly [string, ...string[]];

const timeoutMs = 60_000;

/** Repeats a command until its reply matches. */
export async function untilRedisReplies(
  url: string,
  command: Command,
  expected: RegExp,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const reply = await askRedis(url, command);
    if (expected.test(reply)) return;
    if (performance.now() > deadline) throw new Error(`${command.join(" ")}: ${reply}`);
    await delay(50);
  }
}

/** Sends a command and returns its reply as text. */
export async function askRedis(url: string, [name, ...parameters]: Command): Promise<string> {
  const client = new Redis(url);
  try {
    return String(await client.call(name, ...parameters));
  } finally {
    client.disconnect();
  }
}
