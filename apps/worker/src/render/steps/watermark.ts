import type { Claim } from "@atelier/generations/claims";
import {
  InvalidImageError,
  TimeStampError,
  type Ingredient,
  type MarkedImage,
} from "@atelier/provenance";
import type { ProviderImage } from "@atelier/models";
import { AppError, changeOf } from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";
import { TryFailed, providerFailure } from "../failures.ts";
import { discardStaged, type GeneratedImage } from "../staging.ts";
import type { LoadedReference } from "./load-references.ts";

/**
 * Makes PNG, JPEG and WebP of the image, each marked as AI-made (XMP and a signed C2PA manifest that
 * names the model and the references) and verified. Nothing changes the bytes after it.
 *
 * @throws TryFailed when the provider's bytes do not decode to a complete image: this is the only
 *   place where they are decoded, and they are deleted so that the next attempt calls the provider
 *   again. Also when the time-stamping authority is unavailable: the image stays staged until the
 *   deadline.
 */
export async function watermark(
  claim: Claim,
  { image, svg }: Pick<GeneratedImage, "image" | "svg">,
  references: readonly LoadedReference[],
  dependencies: RenderDependencies,
  signal: AbortSignal,
): Promise<readonly MarkedImage[]> {
  const { storage, catalogue, marker, metrics, logger } = dependencies;
  const entry = catalogue.entryOf(claim.model);
  const steps = (claim.spec.after ?? []).flatMap((step) => {
    const change = changeOf(step.task);
    const { name = step.model, provider = "builtin" } = catalogue.entryOf(step.model) ?? {};
    return change === null ? [] : [{ ...change, model: { id: step.model, name, provider } }];
  });
  try {
    const marked = await marker.mark(
      {
        image,
        svg,
        ...(claim.spec.output !== undefined && { output: claim.spec.output }),
        model: {
          id: claim.model,
          name: entry?.name ?? claim.model,
          provider: claim.lane,
          procedural: entry?.procedural ?? false,
        },
        change: changeOf(claim.spec.task),
        steps,
        // The title is readable in the file: it is the role, never text of the client.
        ingredients: [...originalOf(image), ...references.flatMap(ingredientOf)],
        createdAt: new Date(),
      },
      signal,
    );
    const reason = marked[0]?.signingFallback ?? null;
    if (reason !== null) {
      metrics.signedByLibrary();
      logger.warn({ render: claim.renderId, reason }, "marking problem: signed by the library");
    }
    return marked;
  } catch (cause) {
    if (cause instanceof TimeStampError) {
      throw new TryFailed(stampingFailure(cause), null, { isUncounted: true });
    }
    if (!(cause instanceof InvalidImageError)) throw cause;
    await discardStaged(claim, storage, logger);
    const failure = providerFailure("The provider's answer was not a whole image.", null, cause);
    throw new TryFailed(failure, "unknown");
  }
}

/** The provider's file with its manifest, which was placed into the edited image. */
function originalOf({ original: bytes }: ProviderImage): Ingredient[] {
  if (bytes === undefined) return [];
  return [{ bytes, title: "image as the provider gave it", relationship: "componentOf" }];
}

/** The ingredient of a loaded image; a mask shows nothing of the picture. */
function ingredientOf({ role, original: bytes }: LoadedReference): Ingredient[] {
  if (role === "mask") return [];
  if (role === "source") return [{ bytes, title: "edited image", relationship: "parentOf" }];
  if (role === "markup") return [{ bytes, title: "markup of the edited image" }];
  if (role === "part") return [{ bytes, title: "combined image", relationship: "componentOf" }];
  return [{ bytes, title: `${role} reference` }];
}

function stampingFailure(cause: TimeStampError): AppError {
  return new AppError(
    "internal_error",
    "The image was made, but could not be marked with a time stamp. Nothing was charged; please try again later.",
    { retryable: true, cause },
  );
}
