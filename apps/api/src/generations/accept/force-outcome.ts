import { refusalError } from "@atelier/moderation";
import {
  AppError,
  errorStatus,
  type ErrorCode,
  type ForcedOutcome,
  type GenerationPlan,
} from "@atelier/schemas";

/** The prompts that force an outcome, as `docs/test-keys.md` lists them. */
export const forcingPrompts = [
  "test:refuse",
  "test:illegal",
  "test:fail",
  "test:slow <seconds>",
  "test:rate-limit",
  "test:unfinished",
  "test:error <code>",
] as const;

/** The longest delay of `test:slow`, in seconds. */
const longestDelay = 60;

/** The image of `test:unfinished` is made this long after the wait of its request, in milliseconds. */
const afterWaitMs = 2_000;

/** A text of the request that forces an outcome. */
interface Command {
  readonly name: string;
  readonly argument: string;
  readonly path: string;
}

/**
 * Forces the outcome that a text of a test job names; a plan without such a text stays as it is.
 *
 * @param waitMs the time that the request waits for its result, in milliseconds.
 * @returns the plan, of which the first image is made later or fails.
 * @throws AppError with the error that the text names; `invalid_request` for an unknown one.
 */
export function forceOutcome(plan: GenerationPlan, waitMs: number): GenerationPlan {
  const command = findCommand(plan);
  if (command === null) return plan;
  const { name, argument, path } = command;
  switch (name) {
    case "refuse":
    case "illegal": {
      const code = name === "illegal" ? "content_illegal" : "content_policy_violation";
      const refusal = { allowed: false, certainty: "certain", code, quoted: [], path } as const;
      throw refusalError(
        { ...refusal, category: name === "illegal" ? "forgery" : "gore" },
        plan.strictness,
      );
    }
    case "rate-limit":
      throw forced("rate_limited", `test:${name}`);
    case "error":
      if (!Object.hasOwn(errorStatus, argument)) throw unknownCommand(command);
      throw forced(argument as ErrorCode, `test:${name} ${argument}`);
    case "fail":
      return withForced(plan, { kind: "fail" });
    case "slow": {
      const seconds = Number(argument);
      if (!(seconds >= 1 && seconds <= longestDelay)) throw unknownCommand(command);
      return withForced(plan, { kind: "late", delayMs: seconds * 1_000 });
    }
    case "unfinished":
      return withForced(plan, { kind: "late", delayMs: waitMs + afterWaitMs });
    default:
      throw unknownCommand(command);
  }
}

function findCommand({ renders }: GenerationPlan): Command | null {
  const texts = renders.flatMap(({ spec }) => [
    ...spec.texts,
    { path: "prompt", text: spec.prompt },
  ]);
  for (const { path, text } of texts) {
    const [, name, argument = ""] = /(?:^|\s)test:([a-z-]+)(?: (\S+))?/.exec(text) ?? [];
    if (name !== undefined) return { name, argument, path };
  }
  return null;
}

function withForced(plan: GenerationPlan, outcome: ForcedOutcome): GenerationPlan {
  const renders = plan.renders.map((render, position) =>
    position > 0 ? render : { ...render, spec: { ...render.spec, forced: outcome } },
  );
  return { ...plan, renders };
}

/** Statuses that clients send again after `Retry-After`. */
const retriedStatuses: readonly number[] = [429, 503];

function forced(code: ErrorCode, text: string): AppError {
  const isRetried =
    retriedStatuses.includes(errorStatus[code]) || code === "idempotency_in_progress";
  return new AppError(code, `The text "${text}" of this test forces this error.`, {
    details: { forced_by: text },
    ...(isRetried && { retryAfterMs: 2_000 }),
  });
}

function unknownCommand({ name, argument, path }: Command): AppError {
  const written = `test:${name}${argument === "" ? "" : ` ${argument}`}`;
  const message = `"${written}" forces no outcome. Use one of ${forcingPrompts.join(", ")}; seconds are 1 to ${longestDelay}, and codes are those of the documentation.`;
  return new AppError("invalid_request", message, {
    details: [{ path, code: "unknown_test", message }],
  });
}
