import type { Caller } from "@atelier/accounts";
import { findResultKey, findUpload } from "@atelier/generations";
import { assertPublicHttpsUrl } from "@atelier/guarded-fetch";
import {
  AppError,
  describeProblems,
  type GenerationPlan,
  type ReferenceSpec,
  type RequestProblem,
  type StorySubject,
} from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";
import { visibleTo } from "../http/permissions.ts";

/**
 * Refuses references that can never be used, before anything is stored or held: uploads and jobs that
 * the caller cannot read, our own URLs with a wrong or expired signature, and others that are not
 * public HTTPS. The worker fetches the rest.
 *
 * @returns the plan with the storage keys of our own images, since a URL that is valid now may have
 *   expired when a worker reads it.
 * @throws AppError for the first wrong reference: `invalid_request` with the paths of all URLs that are
 *   not HTTPS, or `reference_unreachable` with the path of that one.
 */
export async function resolveReferences(
  plan: GenerationPlan,
  caller: Caller,
  { storage, database }: Pick<ApiDependencies, "storage" | "database">,
): Promise<GenerationPlan> {
  const resolved = new Map<string, ReferenceSpec["source"]>();
  const problems: RequestProblem[] = [];
  for (const { source } of plan.renders.flatMap(({ spec }) => spec.references)) {
    if (source.kind === "render" || source.kind === "stored" || resolved.has(source.path)) continue;
    const { path } = source;
    const finding =
      source.kind === "url"
        ? resolve(source.url, path, storage)
        : findStoredImage(source, caller, database);
    const found = await finding.catch((error: unknown) => {
      // An error has one code, that of the first wrong URL. This one is reported after that is fixed.
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
            "path" in reference.source
              ? (resolved.get(reference.source.path) ?? reference.source)
              : reference.source,
        })),
      },
    })),
  };
}

function refuse(problems: readonly RequestProblem[]): void {
  if (problems.length === 0) return;
  throw new AppError("invalid_request", describeProblems(problems), { details: problems });
}

/** Finds the image of an upload or a job that the caller may read. */
async function findStoredImage(
  source: Extract<ReferenceSpec["source"], { kind: "upload" | "job" }>,
  caller: Caller,
  database: ApiDependencies["database"],
): Promise<ReferenceSpec["source"]> {
  const owner = visibleTo(caller);
  const { path } = source;
  const key =
    source.kind === "upload"
      ? (await findUpload(database, { ...owner, id: source.id }))?.storageKey
      : await findResultKey(database, {
          ...owner,
          generationId: source.jobId,
          image: source.image,
          subject: source.subject ?? null,
        });
  if (key == null) throw missing(source).at(path);
  return { kind: "stored", key, path };
}

function missing(source: Extract<ReferenceSpec["source"], { kind: "upload" | "job" }>): AppError {
  if (source.kind === "upload") return noUpload();
  return source.subject === undefined ? noImage() : noSubject(source.subject);
}

function noSubject({ role, name, state }: StorySubject): AppError {
  const what = role === "location" ? "location" : "portrait";
  const look = state === null ? "" : ` in the state "${state}"`;
  return new AppError(
    "reference_unreachable",
    `There is no completed story with this id that made a ${what} of "${name}"${look}, or its images have been deleted. Use an image that the story was given, or make one.`,
    { details: { reason: "gone" } },
  );
}

function noUpload(): AppError {
  return new AppError(
    "reference_unreachable",
    "There is no upload with this id. Uploads are kept for a while only; send the image again.",
    { details: { reason: "gone" } },
  );
}

function noImage(): AppError {
  return new AppError(
    "reference_unreachable",
    "There is no completed job with this id and image, or its images have been deleted. Use another, or make it again.",
    { details: { reason: "gone" } },
  );
}

/** Resolves one URL; null when it is neither ours nor HTTPS. */
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
