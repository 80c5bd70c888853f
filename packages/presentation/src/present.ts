import { extname } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  formatEur,
  type DeliveredFormat,
  type GenerationResponse,
  type ImageSource,
  type Job,
  type JobStatus,
  type MarkLayer,
  type ListedJob,
  type RenderState,
  type StoryRequest,
} from "@atelier/schemas";
import { presentRequest } from "./present-request.ts";
import { presentWarnings } from "./present-warnings.ts";
import type { FoundGeneration, FoundImage, FoundRender } from "@atelier/generations/jobs";

/** Signs a URL for a stored file; the caller decides how long it is valid. */
export type Sign = (
  storageKey: string,
  downloadName: string,
) => Promise<{ readonly url: string; readonly expiresAt: Date }>;

/** Returns a generation as the API's job, with new signed URLs. */
export async function presentJob(generation: FoundGeneration, sign: Sign): Promise<Job> {
  return {
    ...describeJob(generation),
    ...(await presentRenders(generation, sign)),
    book: generation.book,
    request: presentRequest(generation.request),
    result: generation.status === "completed" ? await presentResult(generation, sign) : null,
  };
}

/** Returns a generation as a job of a list, whose size does not depend on the request. */
export async function presentListedJob(
  generation: FoundGeneration,
  sign: Sign,
): Promise<ListedJob> {
  const { status, prompt } = generation;
  const result = status === "completed" ? await presentResult(generation, sign) : null;
  return {
    ...describeJob(generation),
    ...(await presentRenders(generation, sign)),
    prompt,
    result,
  };
}

/**
 * Presents a page of generations one after another and yields to the event loop between them: a page
 * of long stories has thousands of URLs to sign, and other requests must not wait for all of them.
 */
export async function presentJobs(
  generations: readonly FoundGeneration[],
  sign: Sign,
): Promise<ListedJob[]> {
  const jobs: ListedJob[] = [];
  for (const generation of generations) {
    jobs.push(await presentListedJob(generation, sign));
    await setImmediate();
  }
  return jobs;
}

/** Returns a generation as a job of a list without its result, so that nothing is signed. */
export function summariseJob(generation: FoundGeneration): Omit<ListedJob, "result"> {
  return { ...describeJob(generation), prompt: generation.prompt };
}

function describeJob(generation: FoundGeneration): Omit<Job, "book" | "request" | "result"> {
  return {
    id: generation.id,
    kind: generation.kind,
    operation: generation.operation,
    status: generation.status,
    mode: generation.mode,
    model: generation.model,
    key: generation.key,
    title: generation.note?.title ?? generation.title,
    starred: generation.note?.starred ?? false,
    metadata: generation.metadata,
    source: generation.source && {
      job_id: generation.source.jobId,
      image: generation.source.image,
      prompt: generation.source.text,
    },
    seed: generation.seed === null ? null : Number(generation.seed),
    created_at: generation.createdAt.toISOString(),
    started_at: generation.startedAt?.toISOString() ?? null,
    completed_at: generation.completedAt?.toISOString() ?? null,
    cost_eur: formatEur(generation.chargedMicroEur ?? 0n),
    scenes_total: generation.scenesTotal,
    scenes_completed: generation.scenesCompleted,
    renders_total: generation.rendersTotal,
    renders_completed: generation.rendersCompleted,
    keep: generation.keep && {
      status: generation.keep.status,
      size_bytes: generation.keep.sizeBytes,
    },
    error: generation.error,
  };
}

/** Returns a completed generation as the response to its request. */
export async function presentResult(
  generation: FoundGeneration,
  sign: Sign,
): Promise<GenerationResponse> {
  const common = {
    id: generation.id,
    model: generation.renders.at(-1)?.model ?? generation.model,
    ai_generated: true as const,
    cost_eur: formatEur(generation.chargedMicroEur ?? 0n),
    balance_eur: formatEur(generation.balanceAfterMicroEur ?? 0n),
    ...(generation.seed === null ? {} : { seed: Number(generation.seed) }),
    ...presentWarnings(generation),
    ...presentScale(generation),
  };
  const [image, ...others] = generation.renders;
  if (generation.kind === "image" && image !== undefined) {
    // A combination always has the form of several images.
    if (others.length > 0 || image.task === "combine")
      return { ...common, ...(await presentImages(generation, sign)) };
    return { ...common, ...(await presentImage(image, `atelier-${generation.id}`, sign)) };
  }
  return { ...common, ...(await presentStory(generation, sign)) };
}

function presentScale({ renders: [first] }: FoundGeneration) {
  const { scaledFrom } = first?.spec ?? {};
  return scaledFrom == null ? {} : { scaled_from: scaledFrom };
}

/** Several images of a prompt; the first is also the `image_url` of the result. */
async function presentImages({ id, renders }: FoundGeneration, sign: Sign) {
  const presented = await Promise.all(
    renders.map(async (render, index) => {
      const image = await presentImage(render, `atelier-${id}-${index + 1}`, sign);
      return { image, entry: { index, seed: render.spec.seed, ...image } };
    }),
  );
  const images = presented.map(({ entry }) => entry);
  const urls = images.flatMap(({ image_url }) => (image_url === undefined ? [] : [image_url]));
  return {
    ...presented[0]?.image,
    ...(urls.length === 0 ? {} : { image_urls: urls }),
    image_hashes: images.map(({ image_hash }) => image_hash),
    images,
  };
}

/** The fields of an image; the URLs are omitted after the files were deleted. */
async function presentImage(render: FoundRender, baseName: string, sign: Sign) {
  const png = render.images.find(({ format }) => format === "png");
  if (png === undefined) throw new Error("a completed render has no PNG");
  const variants = await Promise.all(
    render.images
      .filter(isFullSize)
      .map(async (image) => [image.format, await presentVariant(image, baseName, sign)] as const),
  );
  const formats: GenerationResponse["formats"] = Object.fromEntries(variants);
  return {
    ...(formats.png === undefined ? {} : { image_url: formats.png.url }),
    ...(await presentThumbnail(render, baseName, sign)),
    image_hash: png.sha256,
    width: png.width,
    height: png.height,
    layers: layersOf(render),
    ...(variants.length === 0 ? {} : { formats }),
  };
}

/** Every file is signed. */
function layersOf({ isWatermarked }: FoundRender): MarkLayer[] {
  if (isWatermarked === null) return ["c2pa"];
  return isWatermarked ? ["c2pa", "watermark", "registry"] : ["c2pa", "registry"];
}

type FullSizeImage = FoundImage & { readonly format: DeliveredFormat };

/** A file that is kept and not the thumbnail. */
function isFullSize(image: FoundImage): image is FullSizeImage {
  return !image.deleted && image.format !== "thumbnail";
}

/** `thumbnail_url`; nothing without a thumbnail that is kept. */
async function presentThumbnail({ images }: FoundRender, baseName: string, sign: Sign) {
  const thumbnail = images.find(({ format, deleted }) => format === "thumbnail" && !deleted);
  if (thumbnail === undefined) return {};
  const { url } = await sign(thumbnail.storageKey, `${baseName}-thumbnail.webp`);
  return { thumbnail_url: url };
}

const renderStatuses = {
  waiting: "pending",
  ready: "pending",
  running: "processing",
  done: "completed",
  failed: "failed",
  cancelled: "cancelled",
} as const satisfies Record<FoundRender["status"], JobStatus>;

/** `renders` of a job with several images to make. */
async function presentRenders({ id, renders, rendersTotal }: FoundGeneration, sign: Sign) {
  if (rendersTotal === 1) return {};
  let scenes = 0;
  const states: RenderState[] = [];
  for (const [position, render] of renders.entries()) {
    const { role, spec, status } = render;
    states.push({
      role,
      name: spec.name ?? null,
      ...(spec.state == null ? {} : { state: spec.state }),
      ...(role === "scene" ? { scene: ++scenes } : {}),
      status: renderStatuses[status],
      ...(await presentThumbnail(render, `atelier-${id}-${position + 1}`, sign)),
    });
  }
  return { renders: states };
}

async function presentVariant(image: FullSizeImage, baseName: string, sign: Sign) {
  const { format } = image;
  const { url, expiresAt } = await sign(image.storageKey, `${baseName}.${format}`);
  return {
    format,
    url,
    expires_at: expiresAt.toISOString(),
    hash: image.sha256,
    size_bytes: image.sizeBytes,
    width: image.width,
    height: image.height,
    ...(image.flattened && { flattened: true as const }),
  };
}

/**
 * A story request as stored, with the order of each character's states, which JSONB does not
 * preserve.
 */
interface StoredStoryRequest extends Omit<StoryRequest, "characters"> {
  readonly characters?: (StoryRequest["characters"][number] & {
    readonly state_order?: readonly string[];
  })[];
}

/** How a client names the image of a character, state or location. */
interface SuppliedImage {
  readonly reference_url?: string | undefined;
  readonly reference?: ImageSource | undefined;
}

/** The keys of a character's states in the client's order. */
function stateKeys(
  character: NonNullable<StoredStoryRequest["characters"]>[number],
): readonly string[] {
  return character.state_order ?? Object.keys(character.states ?? {});
}

async function presentStory(generation: FoundGeneration, sign: Sign) {
  const request = generation.request as StoredStoryRequest;
  const renders = generation.renders;
  const rendersOf = (role: FoundRender["role"]) => renders.filter((render) => render.role === role);
  const scenes = await Promise.all(
    rendersOf("scene").map(async (render, index) => {
      const name = `atelier-${generation.id}-${index + 1}`;
      const { formats, ...image } = await presentImage(render, name, sign);
      return {
        scene: index + 1,
        title: render.spec.title ?? `Scene ${index + 1}`,
        ...image,
        ...(formats?.png === undefined ? {} : { expires_at: formats.png.expires_at }),
        ...(formats === undefined ? {} : { formats }),
      };
    }),
  );

  /** The stored file of a reference: that of a render, or the upload or image that the client named. */
  function findReferenceFile(
    role: FoundRender["role"],
    { name, state }: { readonly name: string; readonly state: string | null },
    reference: ImageSource | undefined,
  ): Pick<FoundImage, "storageKey" | "width" | "height"> | undefined {
    if (reference === undefined) {
      const render = rendersOf(role).find(({ spec }) => spec.name === name && spec.state === state);
      return render?.images.find(({ format, deleted }) => format === "png" && !deleted);
    }
    const { upload_id = null, job_id = null, image = 0 } = reference;
    const { portrait = null, state: look = null, location = null } = reference;
    const { character_id = null, location_id = null } = reference;
    return generation.suppliedReferences.find(
      (one) =>
        one.uploadId === upload_id &&
        one.jobId === job_id &&
        one.image === image &&
        one.portrait === portrait &&
        one.state === look &&
        one.location === location &&
        one.characterId === character_id &&
        one.locationId === location_id,
    );
  }

  /** Returns the generated reference, or else the one supplied by the client. */
  async function presentReference(
    role: FoundRender["role"],
    name: string,
    state: string | null,
    supplied: SuppliedImage | undefined,
  ) {
    const label = { name, ...(state === null ? {} : { state }) };
    if (supplied?.reference_url !== undefined) {
      return { ...label, reference_url: supplied.reference_url, expires_at: null };
    }
    const reference = supplied?.reference;
    if (reference?.url !== undefined) {
      return { ...label, reference_url: reference.url, expires_at: null };
    }
    const file = findReferenceFile(role, { name, state }, reference);
    if (file === undefined) return label;
    const { storageKey, width, height } = file;
    const { url, expiresAt } = await sign(storageKey, `atelier-${role}${extname(storageKey)}`);
    return { ...label, reference_url: url, width, height, expires_at: expiresAt.toISOString() };
  }

  // A redacted request is empty.
  const characters = (request.characters ?? []).flatMap((character) => [
    presentReference("portrait", character.name, null, character),
    ...stateKeys(character).map((state) =>
      presentReference("state", character.name, state, character.states?.[state]),
    ),
  ]);
  const locations = (request.locations ?? []).map((location) =>
    presentReference("location", location.name, null, location),
  );
  const imageUrls = scenes.flatMap(({ image_url }) => (image_url === undefined ? [] : [image_url]));
  return {
    ...(generation.title === null ? {} : { title: generation.title }),
    scenes,
    characters: await Promise.all(characters),
    locations: await Promise.all(locations),
    ...(imageUrls.length < scenes.length ? {} : { image_urls: imageUrls }),
    image_hashes: scenes.map(({ image_hash }) => image_hash),
  };
}
