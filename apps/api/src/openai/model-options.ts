import { assertPublicHttpsUrl } from "@atelier/guarded-fetch";
import { allowsParameters, supportsCapability, type CatalogueEntry } from "@atelier/models";
import {
  engineOptionFields,
  engineParameterNames,
  findName,
  findRatio,
  maxReferenceImages,
  referenceOptionFields,
  sizeOptionFields,
  type ChatRequest,
  type EngineParameters,
  type ImageSource,
  type OpenAIEditForm,
  type OpenAIImageRequest,
} from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";
import type { RequestImages } from "../generations/plan/operations.ts";
import { ignoredFields, nameIgnored, type SentParameters } from "./ignored-fields.ts";
import { hasImageSize, hasRatio, parsePixels } from "./pick-size.ts";

/** Names of the parameters that only some models honour. */
const optionNames: readonly string[] = [
  ...Object.keys({ ...engineOptionFields, ...sizeOptionFields, ...referenceOptionFields }),
  "seed",
  "negative_prompt",
  "strength",
];

const referenceNames = Object.keys(
  referenceOptionFields,
) as readonly (keyof typeof referenceOptionFields)[];

/** Options of a request that its model honours. */
interface HonouredOptions {
  readonly seed?: number | undefined;
  readonly negative_prompt?: string | undefined;
  readonly parameters?: EngineParameters;
  readonly aspect_ratio?: string;
  readonly image_size?: string;
  readonly references: readonly ImageSource[];
}

interface ReadOptions {
  readonly options: HonouredOptions;
  /** Names of the parameters that it honours. */
  readonly honoured: readonly string[];
  /** Names of parts of `parameters` that it does not honour. */
  readonly ignoredParts: readonly string[];
}

type Body = Omit<Partial<OpenAIImageRequest>, "prompt"> & Partial<Pick<OpenAIEditForm, "strength">>;

/**
 * Reads the options of a request that its model can honour, and names the others.
 *
 * @throws AppError `invalid_request` for a request with `Atelier-Strict: true`.
 */
export function honourOptions(
  body: Body,
  parameters: SentParameters,
  entry: CatalogueEntry,
  dependencies: Needs<"config" | "storage">,
): HonouredOptions {
  const { options, honoured, ignoredParts } = readModelOptions(body, entry, dependencies);
  const always = parameters.effective.filter((name) => !optionNames.includes(name));
  // A chat has its sizes there.
  const hasConfig = always.includes("image_config");
  const effective = honoured.filter((name) => !hasConfig || !(name in sizeOptionFields));
  const ignoredConfig = hasConfig ? ignoredSizes(parameters.sent, honoured) : [];
  nameIgnored({ ...parameters, effective: [...always, ...effective] }, [
    ...ignoredParts,
    ...ignoredConfig,
  ]);
  return options;
}

/** Names what the `image_config` of a chat has and the model does not honour. */
function ignoredSizes(sent: object, honoured: readonly string[]): string[] {
  const { image_config } = sent as Partial<ChatRequest>;
  return ignoredFields(image_config ?? {}, honoured).map((name) => `image_config.${name}`);
}

function readModelOptions(
  body: Body,
  entry: CatalogueEntry,
  dependencies: Needs<"config" | "storage">,
): ReadOptions {
  const engine = readEngineOptions(body, entry);
  const sizes = readSizes(body, entry);
  const references = readReferences(body, entry, dependencies);
  const hasSeed = body.seed !== undefined && supportsCapability(entry, "seed");
  const hasNegative =
    body.negative_prompt !== undefined && supportsCapability(entry, "negative_prompt");
  return {
    options: {
      ...(hasSeed && { seed: body.seed }),
      ...(hasNegative && { negative_prompt: body.negative_prompt }),
      ...(engine.honoured.length > 0 && { parameters: engine.parameters }),
      ...sizes.options,
      references: references.images,
    },
    honoured: [
      ...(hasSeed ? ["seed"] : []),
      ...(hasNegative ? ["negative_prompt"] : []),
      ...(body.strength === undefined ? [] : ["strength"]),
      ...engine.honoured,
      ...sizes.names,
      ...references.names,
    ],
    ignoredParts: engine.ignoredParts,
  };
}

const engineOptions: readonly string[] = engineParameterNames;

const engineNames = {
  num_inference_steps: "steps",
  steps: "steps",
  guidance_scale: "guidance",
  guidance: "guidance",
  cfg_scale: "guidance",
} as const;

function readEngineOptions(body: Body, entry: CatalogueEntry) {
  const { parameters = {} } = body;
  const named = Object.entries(engineNames).map(([name, option]) => ({
    name,
    values: { [option]: body[name as keyof typeof engineNames] },
  }));
  const parts = Object.entries(parameters).map(([option, value]) => ({
    name: `parameters.${option}`,
    values: { [option]: value },
  }));
  const sent = [...named, ...parts].filter(({ values }) => Object.values(values)[0] !== undefined);
  const isHonoured = ({ values }: (typeof sent)[number]) =>
    Object.keys(values).every((option) => engineOptions.includes(option)) &&
    allowsParameters(entry, values);
  const honoured = sent.filter(isHonoured);
  return {
    parameters: Object.assign({}, ...honoured.map(({ values }) => values)) as EngineParameters,
    honoured: honoured.map(({ name }) => (name.startsWith("parameters.") ? "parameters" : name)),
    ignoredParts: honoured.some(({ name }) => name.startsWith("parameters."))
      ? parts.filter((one) => !isHonoured(one)).map(({ name }) => name)
      : [],
  };
}

/** The aspect ratio and the image size beside `size`, which comes first: they are honoured if they agree with it. */
function readSizes({ size = "auto", aspect_ratio, image_size }: Body, entry: CatalogueEntry) {
  const sizes = Object.keys(entry.prices_eur);
  const { aspect_ratios: ratios } = entry;
  const ratio = aspect_ratio === undefined ? undefined : findRatio(ratios, aspect_ratio);
  const named = image_size === undefined ? undefined : findName(sizes, image_size);
  const pixels = parsePixels(size);
  if (pixels !== null) {
    const hasSameRatio = aspect_ratio !== undefined && hasRatio(pixels, ratio ?? aspect_ratio);
    const hasSameSize = named !== undefined && hasImageSize(entry, pixels, named);
    const names = [
      ...(hasSameRatio ? ["aspect_ratio"] : []),
      ...(hasSameSize ? ["image_size"] : []),
    ];
    return { options: {}, names };
  }
  // `size` may itself be a ratio or an image size.
  const agreesInRatio = (findRatio(ratios, size) ?? ratio) === ratio;
  const agreesInSize = (findName(sizes, size) ?? named) === named;
  const options = {
    ...(ratio !== undefined && agreesInRatio && { aspect_ratio: ratio }),
    ...(named !== undefined && agreesInSize && { image_size: named }),
  };
  return { options, names: Object.keys(options) };
}

/** Names the references that arrived in the body by their uploads. */
export function nameUploads(
  body: OpenAIImageRequest,
  received: Pick<RequestImages, "has">,
): OpenAIImageRequest {
  const readSource = (source: ImageSource) =>
    received.has(source.url) ? { upload_id: source.url } : source;
  const references = referenceNames.flatMap((name) => {
    const images = body[name];
    return images === undefined ? [] : [[name, images.map(readSource)] as const];
  });
  return { ...body, ...Object.fromEntries(references) };
}

function readReferences(
  body: Body,
  entry: CatalogueEntry,
  dependencies: Needs<"config" | "storage">,
): { readonly images: readonly ImageSource[]; readonly names: readonly string[] } {
  const sent = referenceNames.flatMap((name) => {
    const images = body[name];
    return images === undefined ? [] : [{ name, images }];
  });
  const images = sent.flatMap((one) => one.images);
  const isPossible =
    images.length <= Math.min(entry.max_reference_images, maxReferenceImages) &&
    images.every(({ url }) => url === undefined || isReachable(url, dependencies));
  return isPossible ? { images, names: sent.map(({ name }) => name) } : { images: [], names: [] };
}

/** Whether a URL is one of this service's images, or a public HTTPS URL. */
function isReachable(url: string, { config, storage }: Needs<"config" | "storage">): boolean {
  const origins = [config.PUBLIC_URL, storage.publicOrigin];
  if (origins.some((origin) => origin !== null && url.startsWith(`${origin}/`))) return true;
  try {
    assertPublicHttpsUrl(url);
    return true;
  } catch {
    return false;
  }
}
