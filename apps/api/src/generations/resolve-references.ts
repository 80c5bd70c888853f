import { assertPublicHttpsUrl } from "@atelier/guarded-fetch";
import {
  AppError,
  type GenerationPlan,
  type ReferenceSpec,
  type RequestProblem,
} from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";

/**
 * Refuses, before anything is stored or held, reference URLs that can never be fetched: our own with
 * a wrong or expired signature, and others that are not public HTTPS. The worker fetches the rest.
 *
 * @returns the plan with our own images named by their storage keys: a URL that is valid now may
 *   have expired when a worker comes to it.
 * @throws AppError by the first URL that is wrong: `invalid_request` with the paths of all that are
 *   not HTTPS, or `reference_unreachable` with the path of that one.
 */
export async function resolveReferences(
  plan: GenerationPlan,
  { storage }: ApiDependencies,
): Promise<GenerationPlan> {
  const resolved = new Map<string, ReferenceSpec["source"]>();
  const problems: RequestProblem[] = [];
  for (const { source } of plan.renders.flatMap(({ spec }) => spec.references)) {
    if (source.kind !== "url" || resolved.has(source.path)) continue;
    const { url, path } = source;
    const found = await resolve(url, path, storage).catch((error: unknown) => {
      // An error has one code, that of the first URL that is wrong; this one is told once that is right.
      if (error instanceof AppError && problems.length > 0) return source;
      throw error;
    });
    if (found === null) {
      problems.push({ path, code: "https_required", message: "must be an HTTPS URL" });
    }
    resolved.set(path, found ?? source);
  }
  refuse(problems);
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

function refuse(problems: readonly RequestProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  throw new AppError("invalid_request", `${first.path} ${first.message}. Correct the request.`, {
    details: problems,
  });
}

/** Null for what is neither our own nor HTTPS. */
async function resolve(
  url: string,
  path: string,
  storage: ApiDependencies["storage"],
): Promise<ReferenceSpec["source"] | null> {
  try {
    const key = await storage.resolveSignedUrl(url);
    if (key !== null) return { kind: "stored", key, path };
    if (!url.startsWith("https:")) return null;
    assertPublicHttpsUrl(url);
    return { kind: "url", url, path };
  } catch (error) {
    throw error instanceof AppError ? error.at(path) : error;
  }
}
