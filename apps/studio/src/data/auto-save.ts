import { ApiError } from "../api.ts";

/** Whether the newest value is saved. `failed`: `error` says why; the value is not lost. */
export type SaveState =
  | { readonly kind: "saved" | "saving" }
  | { readonly kind: "failed"; readonly error: unknown };

/** Saves a value that changes often. */
export interface AutoSave<Value> {
  /** Saves a value after a pause in changes. It takes the place of one that is not saved yet. */
  readonly change: (value: Value) => void;
  /** Saves at once what is not saved yet. */
  readonly flush: () => void;
  /** Saves at once what is not saved yet, and does not try again when that fails. */
  readonly stop: () => void;
}

/**
 * Creates a saver that sends one request at a time, always with the newest value. It tries again while the
 * service cannot be reached or has no time; after a refusal, with the next change.
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
  let isSending = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function send(): Promise<void> {
    clearTimeout(timer);
    if (isSending || unsaved === null) return;
    const sent = unsaved;
    isSending = true;
    onState({ kind: "saving" });
    try {
      await save(sent.value);
      isSending = false;
    } catch (error) {
      isSending = false;
      onState({ kind: "failed", error });
      if (!isStopped && mayHelp(error)) timer = setTimeout(() => void send(), waitOf(error));
      return;
    }
    if (unsaved !== sent) return send();
    unsaved = null;
    onState({ kind: "saved" });
  }
  const waitOf = (error: unknown) =>
    Math.max(retryMs, error instanceof ApiError ? 1_000 * (error.retryAfterSeconds ?? 0) : 0);
  return {
    change: (value) => {
      unsaved = { value };
      onState({ kind: "saving" });
      clearTimeout(timer);
      timer = setTimeout(() => void send(), pauseMs);
    },
    flush: () => void send(),
    stop: () => {
      isStopped = true;
      void send();
    },
  };
}

/** Whether the same request may succeed later. */
function mayHelp(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}
