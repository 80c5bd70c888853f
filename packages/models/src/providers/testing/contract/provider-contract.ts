import type { CallLimits } from "../../http/send.ts";
import type { Provider, ProviderOutcome, ProviderRequest } from "../../../provider.ts";
import type { ProtocolServer } from "../protocol-server.ts";
import type { Row } from "./rows.ts";

/** White or transparent pixels mark what to change; `none` when the vendor takes no masks. */
export type MaskForm = "white" | "transparent" | "none";

/** The properties of a provider that the contract suite needs. */
export interface ProviderContract {
  readonly name: string;
  /** The key that its server accepts; null for a provider without keys. */
  readonly apiKey: string | null;
  /** Starts the vendor's protocol server. */
  start(): Promise<ProtocolServer>;
  /** Creates an adapter for a server at `url`. Polling, if any, has negligible delays. */
  create(options: {
    readonly url: string;
    readonly apiKey: string;
    readonly limits: CallLimits;
  }): Provider;
  /** The request; omitted fields get defaults. */
  readonly request: Pick<ProviderRequest, "model"> & Partial<ProviderRequest>;
  /** The refusal shapes of its server and the expected outcome of each. */
  readonly refusals: Readonly<
    Record<string, Omit<Extract<ProviderOutcome, { kind: "refused" }>, "kind">>
  >;
  /** The `Retry-After` value that the vendor sends and its duration; null if it never sends one. */
  readonly retryAfter: { readonly sent: string; readonly ms: number } | null;
  /**
   * The operations and options that the provider supports. The adapter must refuse the others
   * without a call.
   */
  readonly supports: {
    /** Changes to the request for an edit, which may need another model. */
    readonly edit?: Partial<ProviderRequest>;
    /** An edit with a mask, and the form of the mask that the vendor receives. */
    readonly mask?: Partial<ProviderRequest> & { readonly sent: MaskForm };
    /** An edit with hints that are drawn over the image. */
    readonly markup?: Partial<ProviderRequest>;
    readonly combine?: Partial<ProviderRequest>;
    readonly negativePrompt?: Partial<ProviderRequest>;
    readonly transparency?: Partial<ProviderRequest>;
    readonly graphic?: Partial<ProviderRequest>;
    /** Whether the outcome has the seed of the request, the vendor's own, or none. */
    readonly seed: "returned" | "none";
  };
  /** Creates the adapter for edits where it differs. */
  readonly createForEdits?: ProviderContract["create"];
  /** Rows that do not apply to this vendor, with the reason. */
  readonly notApplicable: Readonly<Partial<Record<Row, string>>>;
}
