import { assertPublicHttpsUrl } from "@atelier/guarded-fetch";
import { AppError, type GenerationPlan, type ReferenceSpec } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";

/**
 * Refuses, before anything is stored or held, reference URLs that can never be fetched: our own with
 * a wrong or expired signature, and others that are not public HTTPS. The worker fetches the rest.
 *
 * @returns the plan with our own images named by their storage keys: a URL that is valid now may
 *   have expired when a worker comes to it.
 * @throws AppError `invalid_request` or `reference_unreachable`, with the path of the URL.
 */
export async function resolveReferences(
  plan: GenerationPlan,
  { storage }: ApiDependencies,
): Promise<GenerationPlan> {
  const resolved = new Map<string, ReferenceSpec["source"]>();
  for (const { source } of plan.renders.flatMap(({ spec }) => spec.references)) {
    if (source.kind !== "url" || resolved.has(source.path)) continue;
    resolved.set(source.path, await resolve(source.url, source.path, storage));
  }
  return {
    ...plan,
    renders: plan.renders.map((render) => ({
      ...render,
      spec: {
        ...render.spec,
        references: render.spec.references.map((reference) => ({
          ...reference,
          source:
            reference.source.kind === "url"
              ? (resolved.get(reference.source.path) ?? reference.source)
              : reference.source,
        })),
      },
    })),
  };
}

async function resolve(
  url: string,
  path: string,
  storage: ApiDependencies["storage"],
): Promise<ReferenceSpec["source"]> {
  try {
    const key = await storage.resolveSignedUrl(url);
    if (key !== null) return { kind: "stored", key, path };
    if (!url.startsWith("https:")) {
      const problem = { path, code: "https_required", message: "must be an HTTPS URL" };
      throw new AppError("invalid_request", `${path} must be an HTTPS URL. Correct the request.`, {
        details: [problem],
      });
    }
    assertPublicHttpsUrl(url);
    return { kind: "url", url, path };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "invalid_request") throw error;
    throw error.at(path);
  }
}
