import type { Caller } from "@atelier/accounts";
import { findMembers } from "@atelier/generations/cast";
import { findResultKey } from "@atelier/generations/jobs";
import { findUpload } from "@atelier/generations/uploads";
import { assertPublicHttpsUrl, atReference } from "@atelier/guarded-fetch";
import {
  AppError,
  invalidRequest,
  type GenerationPlan,
  type ReferenceSpec,
  type RequestProblem,
  type StorySubject,
} from "@atelier/schemas";
import type { ApiDependencies, Needs } from "../../dependencies.ts";
import { visibleTo } from "../../http/permissions.ts";

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
  { storage, database }: Needs<"storage" | "database">,
): Promise<GenerationPlan> {
  const resolved = new Map<string, ReferenceSpec["source"]>();
  const problems: RequestProblem[] = [];
  for (const { source } of plan.renders.flatMap(({ spec }) => spec.references)) {
    if (source.kind === "render" || source.kind === "stored" || resolved.has(source.path)) continue;
    const { path } = source;
    const finding = resolveSource(source, caller, { storage, database });
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

/**
 * Finds a stored image of a request that keeps it.
 *
 * @returns its storage key and its path in the request.
 * @throws AppError `reference_unreachable` for an image that is not there, or that another server has.
 */
export async function resolveImage(
  source: ReferenceSpec["source"],
  caller: Caller,
  dependencies: Needs<"storage" | "database">,
): Promise<{ readonly key: string; readonly path: string }> {
  if (source.kind === "render") throw new Error("an image that is not made cannot be kept");
  const found =
    source.kind === "stored" ? source : await resolveSource(source, caller, dependencies);
  if (found?.kind !== "stored") throw notOurs().at(source.path);
  return found;
}

type RequestedSource = Exclude<ReferenceSpec["source"], { kind: "render" | "stored" }>;

/** @returns the stored image, or the URL of another server; null for a URL that is not HTTPS. */
function resolveSource(
  source: RequestedSource,
  caller: Caller,
  { storage, database }: Needs<"storage" | "database">,
): Promise<ReferenceSpec["source"] | null> {
  return source.kind === "url"
    ? resolve(source.url, source.path, storage)
    : findStoredImage(source, caller, database);
}

function notOurs(): AppError {
  return new AppError(
    "reference_unreachable",
    "This image is on another server, and only images of this service can be kept. Send it to POST /v1/uploads, and use its id.",
    { details: { reason: "not_stored" } },
  );
}

function refuse(problems: readonly RequestProblem[]): void {
  if (problems.length === 0) return;
  throw invalidRequest(...problems);
}

type StoredSource = Exclude<RequestedSource, { kind: "url" }>;

/** Finds the image of an upload, a job, or a kept character or location that the caller may read. */
async function findStoredImage(
  source: StoredSource,
  caller: Caller,
  database: ApiDependencies["database"],
): Promise<ReferenceSpec["source"]> {
  const owner = visibleTo(caller);
  const { path } = source;
  const key = await findKey(source, owner, database);
  if (key === null) throw missing(source).at(path);
  return { kind: "stored", key, path };
}

async function findKey(
  source: StoredSource,
  owner: ReturnType<typeof visibleTo>,
  database: ApiDependencies["database"],
): Promise<string | null> {
  if (source.kind === "upload") {
    const upload = await findUpload(database, { ...owner, id: source.id });
    return upload?.storageKey ?? null;
  }
  if (source.kind === "member") {
    const { id, member: kind, state } = source;
    const member = (await findMembers(database, { ...owner, ids: [id] })).get(id);
    if (member?.kind !== kind) return null;
    return member.looks.find((look) => look.state === state)?.storageKey ?? null;
  }
  const { jobId: generationId, image, subject = null } = source;
  return findResultKey(database, { ...owner, generationId, image, subject });
}

function missing(source: StoredSource): AppError {
  if (source.kind === "upload") return noUpload();
  if (source.kind === "member") return noMember(source);
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

function noMember({ member, state }: Extract<StoredSource, { kind: "member" }>): AppError {
  const look = state === null ? "" : ` that has the state "${state}"`;
  return new AppError(
    "reference_unreachable",
    `There is no ${member} with this id${look}, or it has no image: its job has not drawn it. GET /v1/${member}s lists your ${member}s.`,
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
    throw error instanceof AppError ? atReference(error, path) : error;
  }
}
