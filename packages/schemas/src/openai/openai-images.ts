import * as z from "zod";
import { modelId, optional, prompt, text, wholeNumber } from "../fields.ts";
import {
  imageFormat,
  imageUrl,
  maxImages,
  maxSeed,
  metadataPairs,
  metadataValue,
  requestedFormat,
} from "../request-fields.ts";
import { spellBoolean, spellName, spellNumber, spellSize } from "../texts/spellings.ts";
import {
  engineOptionFields,
  lenient,
  referenceOptionFields,
  sizeOptionFields,
} from "./openai-options.ts";

const trueOrFalse = optional(z.preprocess(spellBoolean, z.boolean()));

/** A name of an enumeration, in any case. */
function nameOf<Schema extends z.ZodEnum>(schema: Schema) {
  return optional(z.preprocess(spellName, schema));
}

const model = optional(modelId).meta({
  description:
    "An `id` of `GET /v1/models`, or a name that the operator maps to one. Default: the first model of that list that can do the operation.",
});

const identifier = metadataValue.optional().catch(undefined);

/** Parameters that become metadata of the job. Values beyond the limits are left out, and not refused. */
const ownMetadata = {
  metadata: metadataPairs.optional().catch(undefined).meta({
    description:
      "Texts of your own, kept as `metadata` of the job: at most 16 pairs of names with 64 and values with 512 characters. In a form as JSON text, or as `metadata[name]`. Others are left out and named in `Atelier-Ignored`.",
  }),
  user: identifier.meta({
    description:
      "A text of at most 512 characters, kept as `metadata.user` of the job; `GET /v1/jobs?metadata.user=…` finds it again.",
  }),
  safety_identifier: identifier.meta({
    description: "As `user`, kept as `metadata.safety_identifier`.",
  }),
};

const n = wholeNumber(z.int().min(1).max(maxImages)).meta({
  description:
    "Number of images, each at the price of one. Either all are made, or nothing is charged. Default: 1.",
});

const size = optional(z.preprocess(spellSize, text.max(20)).meta({ examples: ["1536x1024"] })).meta(
  {
    description:
      "Pixels, a ratio such as `16:9`, or one of the model's `image_sizes`. Pixels are made exactly by models with `sizes` in `GET /v1/models`. Otherwise the nearest size of the model is made, and the header `Atelier-Adjusted` names it. A size whose shape deviates by more than a quarter, or that has more than twice or less than a quarter of the pixels, is refused with those that the model makes. `auto` and a missing value select its defaults.",
  },
);

/** OpenAI's levels of quality, of all its models. */
const openaiQuality = z.enum(["auto", "low", "medium", "standard", "high", "hd", "xhigh", "max"]);

const quality = nameOf(openaiQuality).meta({
  description:
    "No effect: the model, the size and the price stay. Values other than `auto` are named in `Atelier-Ignored`.",
});

const responseFormat = nameOf(z.enum(["url", "b64_json"])).meta({
  description:
    "`url` for signed URLs, or `b64_json` for the bytes in base64. Default, as with OpenAI: `url` for a `model` of the name `dall-e-…`, `b64_json` for all others.",
});

const outputFormat = optional(requestedFormat).meta({ description: "Default: `png`." });

const stream = trueOrFalse.meta({
  description: "Send the images as events, each when all are done. Partial images are not sent.",
});

/** Options of a prompt; not of variations, which have none. */
const promptFields = {
  prompt: prompt.meta({
    description: "What the image shows, or what to change.",
    examples: ["a lighthouse at dusk"],
  }),
  quality,
  output_format: outputFormat,
  stream,
  seed: wholeNumber(z.int().min(0).max(maxSeed)).meta({
    description:
      "Not a parameter of OpenAI. As in `POST /v1/generate/image`, for models whose `supports_seed` is true; others ignore it.",
  }),
  negative_prompt: optional(prompt.max(4_000)).meta({
    description:
      "Not a parameter of OpenAI. As in `POST /v1/generate/image`, for models whose `supports_negative_prompt` is true; others ignore it.",
  }),
};

const background = nameOf(z.enum(["auto", "opaque", "transparent"])).meta({
  description:
    "`transparent` for models whose `supports_transparency` is true. The others select an opaque background.",
});

/** Selects the strictness of moderation. */
const moderation = nameOf(z.enum(["auto", "low"])).meta({
  description: "`low` selects the strictness `liberal`, `auto` the account's strictness.",
});

/**
 * Body of `POST /v1/images/generations`: the parameters of OpenAI's clients. Parameters that are not in
 * it have no effect and are named in the response header `Atelier-Ignored`.
 */
export const openaiImageRequest = z
  .object({
    model,
    ...promptFields,
    n,
    size,
    response_format: responseFormat,
    background,
    moderation,
    ...ownMetadata,
    ...engineOptionFields,
    ...sizeOptionFields,
    ...referenceOptionFields,
  })
  .meta({ id: "OpenAIImageRequest" });
export type OpenAIImageRequest = z.infer<typeof openaiImageRequest>;

/** Parameters of an edit besides its images. */
const editFields = {
  model,
  ...promptFields,
  n,
  size: size.meta({
    description:
      "Pixels, or one of the model's `image_sizes`. Pixels are made exactly by models with `sizes` in `GET /v1/models`, for which the image is cropped to the shape. Otherwise the nearest image size of the model, in the shape of the image; the header `Atelier-Adjusted` names what was made. `auto` and a missing value follow the image. With a mask, the result of a built-in model has the size of the image.",
  }),
  response_format: responseFormat,
  background,
  moderation,
  ...ownMetadata,
  ...engineOptionFields,
  image_size: sizeOptionFields.image_size,
  strength: lenient(
    z.preprocess(spellNumber, z.number().min(0).max(1)),
    "As in `POST /v1/generate/edit`, for models that have such a setting.",
  ),
};

/** Images of an edit: the first is changed, the others are references. */
export const maxImagesOfEdit = 16;

const imageReference = z
  .object({
    image_url: optional(imageUrl("file_id")).meta({
      description:
        "A publicly accessible HTTPS URL of a PNG, JPEG, WebP or AVIF, a signed URL of this service, or the image itself: a `data:` URL, or its base64.",
      examples: ["https://images.example.com/harbour.png"],
    }),
    file_id: optional(z.uuid().toLowerCase()).meta({ description: "The `id` of an upload." }),
  })
  .refine(({ image_url, file_id }) => (image_url === undefined) !== (file_id === undefined), {
    error: "must have exactly one of image_url and file_id",
  })
  .meta({ id: "OpenAIImageReference" });

/** Fields of `POST /v1/images/edits` as a form, whose files are the images. */
export const openaiEditForm = z.object(editFields);
export type OpenAIEditForm = z.infer<typeof openaiEditForm>;

/** Body of `POST /v1/images/edits` as JSON. */
export const openaiEditRequest = z
  .object({
    ...editFields,
    images: z.array(imageReference).min(1).max(maxImagesOfEdit).meta({
      description:
        "The image to change, and references. Also accepted as `image`, one or a list; each may be a text in place of an object with `image_url`. In total at most 40 MB.",
    }),
    mask: optional(imageReference),
  })
  .meta({ id: "OpenAIEditRequest" });

/** Fields of `POST /v1/images/variations`, a form whose file is the image. */
export const openaiVariationForm = z.object({
  model,
  n,
  size: editFields.size,
  response_format: responseFormat,
  ...ownMetadata,
});

const tokens = z.int().min(0);
const tokenDetails = z.strictObject({ text_tokens: tokens, image_tokens: tokens });

/** Tokens that the vendor of a model counted. */
const openaiUsage = z.strictObject({
  input_tokens: tokens,
  input_tokens_details: tokenDetails,
  output_tokens: tokens,
  output_tokens_details: tokenDetails,
  total_tokens: tokens,
});
export type OpenAIUsage = z.infer<typeof openaiUsage>;

/** 200 of the OpenAI-compatible operations that make images. */
export const openaiImages = z
  .strictObject({
    created: z.int().meta({ description: "Completion time in seconds since 1970." }),
    data: z
      .array(
        z.strictObject({
          url: z.url().optional().meta({ description: "A signed URL. Expires in 1 hour." }),
          b64_json: z.base64().optional().meta({ description: "The bytes of the file in base64." }),
        }),
      )
      .min(1)
      .max(maxImages),
    background: z.enum(["opaque", "transparent"]),
    output_format: imageFormat,
    size: z
      .string()
      .optional()
      .meta({
        description: "Width and height of the first image in pixels.",
        examples: ["1024x1024"],
      }),
    usage: openaiUsage.optional().meta({
      description:
        "Tokens of all images, by the count of the model's vendor. Absent when it counts none. The price does not depend on them.",
    }),
  })
  .meta({ id: "OpenAIImages" });
export type OpenAIImages = z.infer<typeof openaiImages>;
