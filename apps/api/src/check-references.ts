import { assertPublicHttpsUrl } from "@atelier/guarded-fetch";
import { AppError, type GenerationPlan } from "@atelier/schemas";
import type { ApiDependencies } from "./dependencies.ts";

/**
 * Refuses, before anything is stored or held, reference URLs that can never be fetched: our own with
 * a wrong or expired signature, and others that are not public HTTPS. The worker fetches the rest.
 *
 * @throws AppError `invalid_request` or `reference_unreachable`, with the path of the URL.
 */
export async function checkReferences(
  plan: GenerationPlan,
  { storage }: ApiDependencies,
): Promise<void> {
  const urls = new Map<string, string>();
  for (const { source } of plan.renders.flatMap(({ spec }) => spec.references)) {
    if (source.kind === "url") urls.set(source.path, source.url);
  }
  for (const [path, url] of urls) {
    try {
      if ((await storage.resolveSignedUrl(url)) !== null) continue;
      if (!url.startsWith("https:")) {
        const problem = { path, code: "https_required", message: "must be an HTTPS URL" };
        throw new AppError(
          "invalid_request",
          `${path} must be an HTTPS URL. Correct the request.`,
          {
            details: [problem],
          },
        );
      }
      assertPublicHttpsUrl(url);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "invalid_request") throw error;
      throw new AppError(error.code, error.message, {
        details: { ...(error.details as object), path },
        cause: error,
      });
    }
  }
}
