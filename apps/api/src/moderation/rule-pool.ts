import type { DiagramProblem } from "@atelier/diagrams";
import { judgeInParts, type ModerationRequest, type ModerationVerdict } from "@atelier/moderation";
import { maxPromptLength, type DiagramTask } from "@atelier/schemas";
import { Piscina } from "piscina";
import { createAccountMutex } from "../http/limits/account-gate.ts";

/** The built-in rules and the parsers of diagrams, in a thread beside the event loop. */
export interface RulePool {
  /**
   * Judges a request of an account. It rejects when the thread fails; the thread is then replaced.
   *
   * @param signal rejects with its reason between two parts of the request.
   */
  judge(
    accountId: string,
    request: ModerationRequest,
    signal: AbortSignal,
  ): Promise<ModerationVerdict>;
  /** Finds the problem of a diagram in words or Mermaid; null if it has none. */
  findProblem(
    accountId: string,
    diagram: Pick<DiagramTask, "language"> & { readonly source: string },
  ): Promise<DiagramProblem | null>;
  close(): Promise<void>;
}

const diagramThread = new URL("diagram-thread.ts", import.meta.url).href;

/**
 * Starts the thread. The prompts of the largest story have a million characters, which take 0.1 s, and
 * seconds if they are meaningless words: too long for the event loop. One message of each account waits for
 * the thread at a time: a whole request, or a part of one that is longer than a prompt, so that a long
 * story delays other accounts by one part.
 *
 * @param onError called when the thread dies while it is idle.
 */
export function createRulePool(onError: (error: Error) => void): RulePool {
  const pool = new Piscina({
    filename: new URL("rule-thread.ts", import.meta.url).href,
    name: "default",
    minThreads: 1,
    maxThreads: 1,
    atomics: "disabled",
    // The default would keep 20 MB more after a long text, and is not faster.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  pool.on("error", onError);
  // Requests that wait are limited before: by the rate limit of their key, and by their bodies.
  const parts = createAccountMutex(Number.POSITIVE_INFINITY);
  return {
    judge(accountId, request, signal) {
      const judge = (part: ModerationRequest) => parts.run(accountId, () => pool.run(part));
      return isShort(request) ? judge(request) : judgeInParts(judge, request, signal);
    },
    findProblem: (accountId, diagram) =>
      parts.run(accountId, () => pool.run(diagram, { filename: diagramThread })),
    close: () => pool.destroy(),
  };
}

function isShort({ texts }: ModerationRequest): boolean {
  return texts.reduce((length, { text }) => length + text.length, 0) <= maxPromptLength;
}
