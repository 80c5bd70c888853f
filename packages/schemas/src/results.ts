import * as z from "zod";
import { eur, timestamp } from "./fields.ts";
import { imageFormat, maxSeed } from "./request-fields.ts";

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256 of the file, in hexadecimal." });
const signedUrl = z.url().meta({ description: "A signed URL. Expires in 1 hour." });

/** All images have the first three formats; those of vector models have SVG as well. */
export const deliveredFormat = z.enum([...imageFormat.options, "svg"]);
export type DeliveredFormat = z.infer<typeof deliveredFormat>;

/** The size of a picture in pixels. */
const pixelSize = {
  width: z.int().positive().meta({ description: "In pixels." }),
  height: z.int().positive(),
};

const formatVariant = z
  .strictObject({
    format: deliveredFormat,
    url: signedUrl,
    expires_at: timestamp.meta({ description: "When the signed URL expires." }),
    hash: sha256,
    size_bytes: z.int().positive(),
    ...pixelSize,
    base64: z.string().optional().meta({
      description: "The file, only in the response to a request with `output.inline`.",
    }),
    flattened: z.literal(true).optional().meta({
      description: "Of the JPEG of an image with transparency: it is flattened on white.",
    }),
  })
  .meta({ id: "FormatVariant", description: "One image in one format." });
export type FormatVariant = z.infer<typeof formatVariant>;

const formats = z.partialRecord(deliveredFormat, formatVariant).meta({
  description:
    "The image in each format; `svg` only for models whose `supports_svg` is true. Absent after the files were deleted.",
});

const layers = z.array(z.enum(["c2pa", "watermark", "registry"])).meta({
  description:
    "The marks of all files of the image: signed metadata, a watermark in the pixels, and a record in the registry (file hash and fingerprint). Images that are too small or mostly transparent have no watermark.",
});
export type MarkLayer = z.infer<typeof layers>[number];

export const thumbnailUrl = z.url().optional().meta({
  description:
    "A signed URL of a WebP of at most 512 pixels, signed and marked like the image. Absent after it was deleted, and for images from before there were thumbnails.",
});

export const scene = z
  .strictObject({
    scene: z.int().positive().meta({ description: "Position in the story, from 1." }),
    title: z.string().meta({ description: "A short generated title." }),
    image_url: signedUrl.optional(),
    thumbnail_url: thumbnailUrl,
    image_hash: sha256,
    ...pixelSize,
    layers,
    expires_at: timestamp.optional().meta({ description: "When `image_url` expires." }),
    formats: formats.optional(),
  })
  .meta({ id: "Scene" });

export const reference = z
  .strictObject({
    name: z.string().meta({ description: "The name given in the request." }),
    state: z.string().optional().meta({ description: "The key of a character's state." }),
    reference_url: z
      .url()
      .optional()
      .meta({ description: "The reference image; a signed URL if the service made it." }),
    width: pixelSize.width.optional().meta({
      description:
        "The width of the reference image in pixels. Absent, like `height`, for an image at a URL of another server, and after it was deleted.",
    }),
    height: pixelSize.height.optional(),
    expires_at: timestamp.nullable().optional().meta({
      description:
        "When `reference_url` expires. Null if the client supplied the reference. Absent, like `reference_url`, after the image was deleted.",
    }),
  })
  .meta({ id: "Reference", description: "The reference image of a character or location." });

export const seed = z.int().min(0).max(maxSeed);

const imageOfSeveral = z
  .strictObject({
    index: z.int().min(0).meta({ description: "Position in the result, from 0." }),
    seed,
    image_url: signedUrl.optional(),
    thumbnail_url: thumbnailUrl,
    image_hash: sha256,
    ...pixelSize,
    layers,
    formats: formats.optional(),
  })
  .meta({ id: "GeneratedImage", description: "One of several images of a prompt." });
export type GeneratedImage = z.infer<typeof imageOfSeveral>;

/** The size of a photograph that was scaled down before it was changed. */
export const scaledFrom = z.strictObject(pixelSize).optional().meta({
  description:
    "The size of the image to change, when it was scaled down to 16.7 megapixels (4096 × 4096) before; margins and sizes refer to what it was scaled to. Absent when it was used as it is, and in quotes for a URL of another server.",
});

/** 200 of `POST /v1/generate/image`, and `result` of a completed job. */
export const generationResponse = z
  .strictObject({
    id: z.uuid().meta({ description: "The id of the job." }),
    model: z.string().meta({ description: "The model that was used." }),
    ai_generated: z.literal(true).meta({
      description:
        "Always true: a trained model made the image, or it was made by rules and marked as synthetic (EU AI Act, Art. 50).",
    }),
    cost_eur: eur.meta({ description: "The amount charged." }),
    balance_eur: eur.meta({
      description:
        "The balance after the charge, or the rest of the budget of its key if that is less; 0.00 for a test.",
    }),
    seed: seed.optional().meta({
      description:
        "The seed of the first image, also if the service chose it. Absent for jobs from before seeds were recorded.",
    }),
    image_url: signedUrl.optional().meta({
      description:
        "A signed URL of the PNG, of several images of the first. Expires in 1 hour. Omitted for stories.",
    }),
    thumbnail_url: thumbnailUrl,
    image_hash: sha256.optional().meta({
      description: "SHA-256 of the PNG, of several images of the first. Omitted for stories.",
    }),
    width: pixelSize.width.optional().meta({
      description: "In pixels, of several images of the first. Omitted for stories.",
    }),
    height: pixelSize.height.optional(),
    layers: layers.optional().meta({
      description: "The marks of the image, of several images of the first. Omitted for stories.",
    }),
    image_urls: z.array(signedUrl).optional().meta({
      description: "Signed URLs of all images, or of all scenes of a story, as PNG.",
    }),
    image_hashes: z.array(sha256).optional().meta({
      description: "SHA-256 of all images, or of all scenes of a story, as PNG.",
    }),
    images: z.array(imageOfSeveral).optional().meta({
      description:
        "Only for requests with `n` above 1 and for combinations: every image, in order.",
    }),
    formats: formats.optional(),
    scenes: z.array(scene).optional().meta({ description: "Stories only." }),
    characters: z
      .array(reference)
      .optional()
      .meta({ description: "Stories only: the portrait of each character and state." }),
    locations: z
      .array(reference)
      .optional()
      .meta({ description: "Stories only: the image of each location." }),
    title: z.string().optional().meta({
      description: "Stories only: the requested title, or a generated one.",
    }),
    scaled_from: scaledFrom,
    warnings: z
      .array(z.string())
      .optional()
      .meta({
        description:
          "What of the request had no effect: words that a model which draws by rules cannot read, commands of an engine in a prompt, characters, states and locations that no scene of a story names, and references that no image was made with. Absent when there is nothing to say.",
        examples: [
          [
            "<lora:detail:1> in the prompt has no effect: prompts cannot set options of an engine. Use parameters.",
          ],
        ],
      }),
  })
  .meta({
    id: "GenerationResponse",
    description: "The result: one image, or all images of a story.",
  });
export type GenerationResponse = z.infer<typeof generationResponse>;

/** The formats of an image whose files are kept. */
const keptFormats = z
  .strictObject({
    png: formatVariant,
    jpeg: formatVariant.optional(),
    webp: formatVariant.optional(),
    svg: formatVariant.optional(),
  })
  .meta({
    id: "Formats",
    description:
      "The image in each format: `png` always, `jpeg` and `webp` unless `output.formats` leaves them out, `svg` only for models whose `supports_svg` is true.",
  });

const keptImage = imageOfSeveral
  .extend({ image_url: signedUrl, formats: keptFormats })
  .meta({ id: "ImageOfResult", description: "One of several images of a prompt." });

/** Fields of every result. */
const resultBase = generationResponse.pick({
  id: true,
  model: true,
  ai_generated: true,
  cost_eur: true,
  balance_eur: true,
  seed: true,
  scaled_from: true,
  warnings: true,
});

const imageFields = {
  image_url: signedUrl.meta({
    description: "A signed URL of the PNG, of several images of the first. Expires in 1 hour.",
  }),
  thumbnail_url: thumbnailUrl,
  image_hash: sha256.meta({
    description: "SHA-256 of the PNG, of several images of the first.",
  }),
  ...pixelSize,
  layers,
  formats: keptFormats,
};

const severalFields = {
  image_urls: z.array(signedUrl).meta({ description: "Signed URLs of all images, as PNG." }),
  image_hashes: z.array(sha256).meta({ description: "SHA-256 of all images, as PNG." }),
  images: z.array(keptImage).meta({ description: "Every image, in order." }),
};

const imageResult = resultBase
  .extend({
    ...imageFields,
    image_urls: severalFields.image_urls.optional(),
    image_hashes: severalFields.image_hashes.optional(),
    images: severalFields.images.optional().meta({
      description: "Only for requests with `n` above 1: every image, in order.",
    }),
  })
  .meta({ id: "ImageResult", description: "The image of a request, or its images." });

const combinedResult = resultBase
  .extend({ ...imageFields, ...severalFields })
  .meta({ id: "CombinedResult", description: "The combinations of a request." });

const diagramResult = resultBase
  .extend({ ...imageFields, formats: keptFormats.extend({ svg: formatVariant }) })
  .meta({ id: "DiagramResult", description: "The diagram of a request." });

const tracedResult = resultBase
  .extend({ ...imageFields, formats: keptFormats.extend({ svg: formatVariant }) })
  .meta({ id: "TracedResult", description: "The traced image of a request." });

/**
 * Results of operations when their images are done: the same values as a `generationResponse`, with the
 * fields that a result always has while its files are kept. Operations without a form of their own
 * return that of an image; the response to a request for a story is its job.
 */
export const results = {
  image: imageResult,
  combine: combinedResult,
  diagram: diagramResult,
  vectorize: tracedResult,
};
