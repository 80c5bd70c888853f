import * as z from "zod";
import { deliveredFormat } from "./results.ts";

/** JSON body of `POST /verify`: a file of which only the hash is known. */
export const hashRequest = z.strictObject({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in 64 lower-case hexadecimal digits")
    .meta({ description: "SHA-256 of the file, in lower-case hexadecimal." }),
});

const techniqueName = z.enum(["c2pa", "hash", "watermark", "fingerprint", "xmp"]);

const technique = z
  .strictObject({
    technique: techniqueName,
    result: z.enum(["match", "no_match", "invalid", "not_checked"]),
    detail: z.string().nullable().meta({ description: "The reason of the result, or its limits." }),
  })
  .meta({ id: "VerificationTechnique" });

/** How a synthetic image was made: a trained model, rules, or a composite with a synthetic element. */
const syntheticSource = z.enum(["trained_model", "rules", "composite"]);
export type SyntheticSource = z.infer<typeof syntheticSource>;

/** 200 of `POST /verify`. */
export const verification = z
  .strictObject({
    verdict: z
      .enum(["made_here", "mark_copied", "mark_found", "ai_generated", "similar_found", "unknown"])
      .meta({
        description:
          "`made_here`: the signature of this service, a file hash, or a watermark that the look of the picture confirms leads to a record of this service. `mark_copied`: the picture carries the watermark of an image of this service, but shows something else: somebody copied the watermark onto it. `mark_found`: only a watermark leads to a record, and the look neither confirms nor refutes it. `ai_generated`: a valid manifest of another signer, or XMP, says that the image is synthetic. `similar_found`: the image looks like one of this service; that says nothing about its origin. `unknown`: nothing was found; that does not mean that no model made the image.",
      }),
    based_on: z
      .array(techniqueName)
      .meta({ description: "The techniques that the verdict rests on." }),
    techniques: z
      .array(technique)
      .meta({ description: "All techniques with their results, in the order of the checks." }),
    contradicted_by: z.array(techniqueName).meta({
      description:
        "Techniques that contradict the verdict: a valid manifest of another signer (`c2pa`) or the XMP (`xmp`) says that a camera or a person made the picture, but its hash or its watermark belongs to an image of this service. One of both is wrong, or the picture is a photograph of such an image.",
    }),
    synthetic: syntheticSource.nullable().meta({
      description:
        "What the record of an image that was `made_here`, or else the manifest, or else the XMP, says of the making. `trained_model`: a trained model made it, or a part of it. `rules`: a program without a trained model made it. `composite`: at least one of its elements is synthetic, as in a photograph that a built-in model edited. Null if they say nothing.",
    }),
    signer: z
      .strictObject({
        name: z.string().nullable(),
        organization: z.string().nullable(),
        trusted: z.boolean().meta({ description: "Whether this service trusts the signer." }),
      })
      .nullable()
      .meta({ description: "The signer of a valid manifest; null without one." }),
    image: z
      .strictObject({
        model: z.string(),
        created_at: z.iso.datetime(),
        formats: z.array(deliveredFormat).meta({ description: "The formats that were delivered." }),
      })
      .nullable()
      .meta({
        description:
          "The record of the image; of the similar one for `similar_found`, and of the one that the watermark was copied from for `mark_copied`. No account, prompt or key.",
      }),
  })
  .meta({ id: "Verification", description: "The origin of an image, as far as it is known." });
export type Verification = z.infer<typeof verification>;
