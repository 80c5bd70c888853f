import {
  formatEur,
  type GenerationResponse,
  type ImageFormat,
  type Job,
  type StoryRequest,
} from "@atelier/schemas";
import type { FoundGeneration, FoundImage, FoundRender } from "./find.ts";

/** Signs a URL for a stored file; the caller decides for how long. */
export type Sign = (
  storageKey: string,
  downloadName: string,
) => Promise<{ readonly url: string; readonly expiresAt: Date }>;

/** A generation as the API's job, its URLs signed anew. */
export async function presentJob(generation: FoundGeneration, sign: Sign): Promise<Job> {
  return {
    id: generation.id,
    kind: generation.kind,
    status: generation.status,
    model: generation.model,
    created_at: generation.createdAt.toISOString(),
    started_at: generation.startedAt?.toISOString() ?? null,
    completed_at: generation.completedAt?.toISOString() ?? null,
    cost_eur: formatEur(generation.chargedMicroEur ?? 0n),
    ...(generation.scenesTotal === null ? {} : { scenes_total: generation.scenesTotal }),
    ...(generation.scenesCompleted === null
      ? {}
      : { scenes_completed: generation.scenesCompleted }),
    result: generation.status === "completed" ? await presentResult(generation, sign) : null,
    error: generation.error,
  };
}

/** A completed generation as the answer to its request. */
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
  };
  const [image] = generation.renders;
  if (generation.kind === "image" && image !== undefined) {
    return { ...common, ...(await presentImage(image, `atelier-${generation.id}`, sign)) };
  }
  return { ...common, ...(await presentStory(generation, sign)) };
}

/** `image_url`, `image_hash` and `formats`; the URLs are left out once the files are gone. */
async function presentImage(render: FoundRender, baseName: string, sign: Sign) {
  const png = render.images.find(({ format }) => format === "png");
  const variants = await Promise.all(
    render.images
      .filter(({ deleted }) => !deleted)
      .map(async (image) => [image.format, await presentVariant(image, baseName, sign)] as const),
  );
  const formats: GenerationResponse["formats"] = Object.fromEntries(variants);
  return {
    ...(formats.png === undefined ? {} : { image_url: formats.png.url }),
    ...(png === undefined ? {} : { image_hash: png.sha256 }),
    ...(variants.length === 0 ? {} : { formats }),
  };
}

async function presentVariant(image: FoundImage, baseName: string, sign: Sign) {
  const format: ImageFormat = image.format;
  const { url, expiresAt } = await sign(image.storageKey, `${baseName}.${format}`);
  return {
    format,
    url,
    expires_at: expiresAt.toISOString(),
    hash: image.sha256,
    size_bytes: image.sizeBytes,
  };
}

async function presentStory(generation: FoundGeneration, sign: Sign) {
  const request = generation.request as StoryRequest;
  const renders = generation.renders;
  const rendersOf = (role: FoundRender["role"]) => renders.filter((render) => render.role === role);
  const scenes = await Promise.all(
    rendersOf("scene").map(async (render, index) => {
      const image = await presentImage(render, `atelier-${generation.id}-${index + 1}`, sign);
      return {
        scene: index + 1,
        title: render.spec.title ?? `Scene ${index + 1}`,
        ...(image.image_url === undefined ? {} : { image_url: image.image_url }),
        image_hash: image.image_hash ?? "",
        ...(image.formats?.png === undefined ? {} : { expires_at: image.formats.png.expires_at }),
        ...(image.formats === undefined ? {} : { formats: image.formats }),
      };
    }),
  );

  /** A reference that was made here, or else the one that the client brought. */
  async function presentReference(
    role: FoundRender["role"],
    name: string,
    state: string | null,
    suppliedUrl: string | undefined,
  ) {
    const label = { name, ...(state === null ? {} : { state }) };
    if (suppliedUrl !== undefined) {
      return { ...label, reference_url: suppliedUrl, expires_at: null };
    }
    const made = rendersOf(role).find(({ spec }) => spec.name === name && spec.state === state);
    const png = made?.images.find(({ format, deleted }) => format === "png" && !deleted);
    if (png === undefined) return label;
    const { url, expiresAt } = await sign(png.storageKey, `atelier-${role}.png`);
    return { ...label, reference_url: url, expires_at: expiresAt.toISOString() };
  }

  const characters = request.characters.flatMap((character) => [
    presentReference("portrait", character.name, null, character.reference_url),
    ...Object.entries(character.states ?? {}).map(([state, { reference_url }]) =>
      presentReference("state", character.name, state, reference_url),
    ),
  ]);
  const locations = (request.locations ?? []).map((location) =>
    presentReference("location", location.name, null, location.reference_url),
  );
  const imageUrls = scenes.flatMap(({ image_url }) => (image_url === undefined ? [] : [image_url]));
  return {
    ...(generation.title === null ? {} : { title: generation.title }),
    scenes,
    characters: await Promise.all(characters),
    locations: await Promise.all(locations),
    ...(imageUrls.length === 0 ? {} : { image_urls: imageUrls }),
    image_hashes: scenes.map(({ image_hash }) => image_hash),
  };
}
