import { createContext, runInContext } from "node:vm";
import { attackTexts, type Attack } from "./attack-texts.ts";

/** Lengths of texts: the first finds exponential growth, the last two measure quadratic growth. */
const [tiny, short, long] = [40, 6_000, 18_000];
/** CPU time that a linear pattern does not need for a short text, in milliseconds. */
const suspiciousMs = 1;
/** CPU time that no linear pattern needs for it. */
const certainMs = 30;
/** Three times as long: linear time grows by 3, quadratic time by 9. */
const maxGrowth = 6;
/** Time after which a match is ended, in milliseconds. */
const timeoutMs = 10_000;

/** Finds a text for which a pattern takes more than linear time. Returns null when all texts are linear. */
export function findSlowText(source: string, flags: string): Attack | null {
  const attacks = attackTexts(source, flags);
  const pattern = new RegExp(source, flags);
  let current: Attack | null = null;
  const check = (): Attack | null => {
    for (const attack of attacks) {
      current = attack;
      const measure = (length: number) => cpuMsOf(pattern, textOf(attack, length));
      measure(tiny);
      if (measure(short) < suspiciousMs) continue;
      const first = Math.min(measure(short), measure(short));
      if (first > certainMs) return attack;
      const second = Math.min(measure(long), measure(long));
      if (second > maxGrowth * Math.max(first, suspiciousMs / 4)) return attack;
    }
    return null;
  };
  // A context of its own, since only its time limit ends a match.
  try {
    return runInContext("check()", createContext({ check }), {
      timeout: timeoutMs,
    }) as Attack | null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return current;
    throw error;
  }
}

function textOf({ start, repeated, end }: Attack, length: number): string {
  return start + repeated.repeat(Math.ceil(length / repeated.length)) + end;
}

function cpuMsOf(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  const before = process.threadCpuUsage();
  text.replace(pattern, "");
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
