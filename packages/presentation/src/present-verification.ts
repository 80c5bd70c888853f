import type { Verification } from "@atelier/schemas";

/** The result of identifying an image. */
interface Identified {
  readonly verdict: Verification["verdict"];
  readonly basedOn: readonly Verification["based_on"][number][];
  readonly contradictedBy: readonly Verification["contradicted_by"][number][];
  readonly techniques: readonly Verification["techniques"][number][];
  readonly synthetic: Verification["synthetic"];
  readonly signer: Verification["signer"];
  readonly image: {
    readonly model: string;
    readonly createdAt: Date;
    readonly formats: readonly string[];
  } | null;
}

type Formats = NonNullable<Verification["image"]>["formats"];

/** Returns what the public may know of an image: no render, account, prompt or key. */
export function presentVerification(found: Identified): Verification {
  const { verdict, basedOn, contradictedBy, techniques, synthetic, signer, image } = found;
  return {
    verdict,
    based_on: [...basedOn],
    contradicted_by: [...contradictedBy],
    techniques: [...techniques],
    synthetic,
    signer,
    image: image && {
      model: image.model,
      created_at: image.createdAt.toISOString(),
      formats: [...image.formats] as Formats,
    },
  };
}
