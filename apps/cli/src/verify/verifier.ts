import type { Verification } from "@atelier/client";
import type { ProvenanceReport } from "@atelier/provenance";

/** The facts about a file; statements of its manifest only if it was read on this machine. */
export type Verified = Verification & Partial<ProvenanceReport>;

/** Verifies files, here or by a service. */
export interface Verifier {
  /** Returns null when the bytes are not a complete image of a format that is inspected. */
  verify(bytes: Buffer): Promise<Verified | null>;
  close(): Promise<void>;
}
