/** A running service, started here or found. */
export interface RunningService {
  readonly url: string;
  /** Source of the service, such as `embedded`, for the log line of a run. */
  readonly description: string;
  /** Stops the service if it was started here. */
  readonly stop: () => Promise<void>;
}

/** The service can neither be found nor started on this machine. */
export interface Unavailable {
  /** Why, in one line. */
  readonly unavailable: string;
}

export interface StartServiceOptions {
  /** Folder for data and logs of this run; created when missing. The caller removes it after `stop`. */
  readonly directory: string;
  /**
   * URL of a running service, which wins over all other ways and is not stopped. Default: none, a service
   * is started.
   */
  readonly externalUrl?: string | undefined;
  /**
   * Cache folder of downloaded packages, which later runs reuse. Default: `atelier` in XDG_CACHE_HOME or
   * `~/.cache`.
   */
  readonly cacheDirectory?: string | undefined;
  /** Called with a line for each step that takes long, such as a download. Default: none. */
  readonly log?: ((line: string) => void) | undefined;
}

/** One way to provide a service. */
export type Attempt = () => Promise<RunningService | Unavailable>;

/**
 * Tries several ways in order and returns the first that works. If all fail, the result contains the
 * reason of each.
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
