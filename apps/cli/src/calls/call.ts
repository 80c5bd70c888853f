import type { Atelier } from "@atelier/client";
import type { Api } from "@atelier/client/api";
import type { Answer } from "../answer.ts";
import type { ShownJob } from "./progress.ts";

/** The resources of one caller command. */
export interface Caller {
  readonly atelier: Atelier;
  /** For endpoints that `atelier` has no method for. */
  readonly api: Pick<Api, "send">;
  /** Shows the progress of a job; Ctrl-C aborts its signal. */
  readonly follow: {
    readonly onProgress: (job: ShownJob) => void;
    readonly signal: AbortSignal;
  };
  /** Prints a line of a result that is not complete yet; nothing with --json. */
  readonly print: (line: string) => void;
  /** How the program is started, such as `npm run atelier --`. */
  readonly programName: string;
}

/** Flags of all caller commands. */
export interface CallFlags {
  readonly json?: boolean;
  readonly url?: string;
  readonly key?: string;
}

/** Runs a command with the selected service and prints its result. */
export type Call = (work: (caller: Caller) => Promise<Answer>, flags: CallFlags) => Promise<void>;
