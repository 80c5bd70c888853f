/** A service that answers now, whoever started it. */
export interface RunningService {
  readonly url: string;
  /** How it was found or started, for the one line that a run prints about it. */
  readonly how: string;
  /** Ends what was started here; a service that ran already is left alone. */
  readonly stop: () => Promise<void>;
}

/** The service can neither be found nor started on this machine. */
export interface Unavailable {
  /** Why, in one line. */
  readonly unavailable: string;
}

export interface StartServiceOptions {
  /** Data and logs of this run; made when missing, and the caller's to remove after `stop`. */
  readonly directory: string;
  /** A service that runs already. It is used or the start fails: never silently replaced. */
  readonly externalUrl?: string | undefined;
  /** Where downloaded packages stay between runs. Default: `~/.cache/atelier`. */
  readonly cacheDirectory?: string | undefined;
  /** Told, a line at a time, what takes long. */
  readonly log?: ((line: string) => void) | undefined;
}

/** One way to have a service. */
export type Attempt = () => Promise<RunningService | Unavailable>;

/**
 * The first of several ways that works. One that fails counts as unavailable. When none works, the
 * reason of each is in the answer.
 */
export async function firstAvailable(
  attempts: readonly Attempt[],
): Promise<RunningService | Unavailable> {
  const reasons: string[] = [];
  for (const attempt of attempts) {
    try {
      const result = await attempt();
      if (!("unavailable" in result)) return result;
      reasons.push(result.unavailable);
    } catch (error) {
      const lines = error instanceof Error ? error.message.trimEnd().split("\n") : [String(error)];
      reasons.push(lines.at(-1) ?? "");
    }
  }
  return { unavailable: reasons.join("; ") };
}
