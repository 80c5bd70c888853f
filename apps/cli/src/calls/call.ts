import type { Atelier, WaitOptions } from "@atelier/client";
import type { Answer } from "../answer.ts";

/** What a command that calls the service works with. */
export interface Caller {
  readonly atelier: Atelier;
  /** Shows how a job progresses, and ends with Ctrl-C. */
  readonly follow: Required<Pick<WaitOptions, "onProgress">> & { readonly signal: AbortSignal };
}

/** Flags that every such command has. */
export interface CallFlags {
  readonly json?: boolean;
  readonly url?: string;
  readonly key?: string;
}

/** Runs a command's work on the service that was named, and shows its answer. */
export type Call = (work: (caller: Caller) => Promise<Answer>, flags: CallFlags) => Promise<void>;
