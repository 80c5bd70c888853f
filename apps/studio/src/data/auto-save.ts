import { ApiError } from "../api.ts";

/** Whether the newest value is saved. `failed`: `error` says why; the value is not lost. */
export type SaveState =
  | { readonly kind: "saved" | "saving" }
  | { readonly kind: "failed"; readonly error: unknown };

/** Saves a value that changes often. */
export interface AutoSave<Value> {
  /** Saves a value after a pause in changes. It replaces an unsaved one. */
  readonly change: (value: Value) => void;
  /**
   * Saves an unsaved value now, unless it was refused or the service asked to wait. Resolves when no request is
   * in progress.
   */
  readonly flush: () => Promise<void>;
  /** Saves an unsaved value now, even if it was refused. Resolves when no request is in progress. */
  readonly retry: () => Promise<void>;
  /** Whether the newest value is saved. */
  readonly isSaved: () => boolean;
  /** As `flush`, and does not try again when that fails. */
  readonly stop: () => Promise<void>;
}

/**
 * Creates a saver that sends one request at a time, always with the newest value. It tries again while the
 * service cannot be reached or has no time; after a refusal, with the next change. After a failure, its
 * state changes when the newest value is saved or fails again.
 *
 * @param options `pauseMs` is the pause in changes, `retryMs` the time between attempts.
 */
export function createAutoSave<Value>(options: {
  readonly save: (value: Value) => Promise<void>;
  readonly onState: (state: SaveState) => void;
  readonly pauseMs: number;
  readonly retryMs: number;
}): AutoSave<Value> {
  const { save, onState, pauseMs, retryMs } = options;
  let unsaved: { readonly value: Value } | null = null;
  let sending: Promise<void> | null = null;
  let isStopped = false;
  let hasFailed = false;
  /** When the next request may be sent: later after a failure, not at all after a refusal. */
  let earliest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function setSaving(): void {
    if (!hasFailed) onState({ kind: "saving" });
  }
  function send(): Promise<void> {
    clearTimeout(timer);
    sending ??= sendAll().finally(() => {
      sending = null;
    });
    return sending;
  }
  async function sendAll(): Promise<void> {
    while (unsaved !== null) {
      const sent: { readonly value: Value } = unsaved;
      setSaving();
      try {
        await save(sent.value);
      } catch (error) {
        return fail(error, unsaved !== sent);
      }
      hasFailed = false;
      if (unsaved === sent) unsaved = null;
    }
    onState({ kind: "saved" });
  }
  function fail(error: unknown, hasChanged: boolean): void {
    hasFailed = true;
    onState({ kind: "failed", error });
    if (mayHelp(error)) earliest = Date.now() + waitOf(error);
    else earliest = hasChanged ? 0 : Number.POSITIVE_INFINITY;
    schedule();
  }
  function schedule(): void {
    clearTimeout(timer);
    if (isStopped || earliest === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(() => void send(), Math.max(pauseMs, earliest - Date.now()));
  }
  function flush(): Promise<void> {
    if (sending !== null) return sending;
    return unsaved === null || Date.now() < earliest ? Promise.resolve() : send();
  }
  const waitOf = (error: unknown) =>
    Math.max(retryMs, error instanceof ApiError ? 1_000 * (error.retryAfterSeconds ?? 0) : 0);
  return {
    change: (value) => {
      unsaved = { value };
      setSaving();
      if (earliest === Number.POSITIVE_INFINITY) earliest = 0;
      schedule();
    },
    flush,
    isSaved: () => unsaved === null,
    retry: () => {
      earliest = 0;
      return flush();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return flush();
    },
  };
}

/** Whether the same request may succeed later. */
function mayHelp(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}
