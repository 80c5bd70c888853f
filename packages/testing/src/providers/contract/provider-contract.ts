import type { CallLimits, Provider, ProviderOutcome, ProviderRequest } from "@atelier/models";
import type { ProtocolServer } from "../protocol-server.ts";
import type { Row } from "./rows.ts";

/** What the contract suite needs to know of a provider. */
export interface ProviderContract {
  readonly name: string;
  /** The key that its server accepts; a provider without keys has null. */
  readonly apiKey: string | null;
  /** Starts the vendor's protocol server. */
  start(): Promise<ProtocolServer>;
  /** An adapter that talks to a server at `url`. Polls, if any, without noticeable waits. */
  create(options: {
    readonly url: string;
    readonly apiKey: string;
    readonly limits: CallLimits;
  }): Provider;
  /** What is asked of it; the rest is filled in. */
  readonly request: Pick<ProviderRequest, "model"> & Partial<ProviderRequest>;
  /** The shapes of refusal that its server knows, and what each must come to. */
  readonly refusals: Readonly<
    Record<string, Omit<Extract<ProviderOutcome, { kind: "refused" }>, "kind">>
  >;
  /** How the vendor says when to come back, and how long that is; null if it never says. */
  readonly retryAfter: { readonly sent: string; readonly ms: number } | null;
  /** Rows that this vendor has no such behaviour for, and why. */
  readonly notApplicable: Readonly<Partial<Record<Row, string>>>;
}
