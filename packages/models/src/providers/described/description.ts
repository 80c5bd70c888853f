import * as z from "zod";
import { serverUrl } from "../../server-settings.ts";
import { currencies, type UsageUnit } from "../../vendor-usage.ts";
import { findPlaceholders, onlyPlaceholder, placeholders, spread } from "./placeholders.ts";

/*
 * The format of a description: how a vendor's or a server's HTTP API makes an image. The reference for
 * its authors is docs/descriptions.md.
 */

/** The tasks that a request may make; `image` is an image of a prompt, with or without references. */
export const describedTasks = ["image", "edit", "combine", "graphic"] as const;

/** The answers that a rule applies to. */
const moments = ["submit", "poll", "result"] as const;

const outcomes = [
  "refused",
  "rate_limited",
  "out_of_quota",
  "invalid_request",
  "unavailable",
  "unknown",
] as const;

/** Units that an answer may state. */
const usageUnits = [
  "text_input_tokens",
  "cached_input_tokens",
  "image_input_tokens",
  "text_output_tokens",
  "image_output_tokens",
  "images",
  "pixels",
  "input_pixels",
  "references",
  "steps",
  "milliseconds",
] as const satisfies readonly UsageUnit[];

const text = z.string().min(1).max(10_000);
const path = text.regex(/^[^.]+(\.[^.]+)*$/, "must be a path in JSON such as data.0.url");
/** One path, or several of which the first with a value counts. */
const paths = z.union([path, z.array(path).min(1)]).transform((one) => [one].flat());
const status = z.union([
  z.int().min(100).max(599),
  z.string().regex(/^[1-5]xx$/, "must be a status such as 404 or 4xx"),
]);
const statuses = z.array(status);
const headerName = z.string().regex(/^[a-z0-9-]+$/, "must be a header's name in lower case");
const headers = z.record(headerName, text);
const expression = text.refine(isExpression, { error: "must be a regular expression" });
const dimension = z.int().min(1).max(16_384);
const pixels = z
  .string()
  .regex(/^[1-9]\d{0,4}x[1-9]\d{0,4}$/, "must be a size in pixels such as 1024x768");

const size = z
  .strictObject({
    /** Name of the size in the vendor's API; default: that in the catalogue. */
    value: text.optional(),
    /** Pixels of an image of any shape. */
    area: z.int().min(1).max(268_435_456).optional(),
    max_edge: dimension.default(16_384),
    multiple_of: z.int().min(1).max(256).default(1),
    /** The sizes that the vendor makes, by aspect ratio. */
    by_ratio: z.record(z.string(), pixels).optional(),
  })
  .refine(({ area, by_ratio }) => (area === undefined) !== (by_ratio === undefined), {
    error: "must have area or by_ratio, and not both",
  });
const sizes = z
  .strictObject({
    /** The vendor chooses the pixels: `area` is the least. */
    approximate: z.boolean().default(false),
    /** The model makes any `{width}` and `{height}`. */
    exact: z.boolean().default(false),
    of: z.record(z.string(), size),
  })
  .refine(({ of }) => Object.keys(of).length > 0, { error: "of must have a size" });

const imageForms = ["data_url", "base64", "file", "upload"] as const;
const images = z.strictObject({
  /** How an image is sent: in JSON, as a part of a form, or as the URL of an upload. */
  as: z.enum(imageForms),
  /** The form of an element of `{images}` and `{references}`. */
  item: z.json().default("{image}"),
  max: z.int().min(1).max(64).default(64),
  /** Of one image. */
  max_bytes: z.int().min(1).optional(),
  /** Pixels of the shorter edge; smaller images are enlarged. */
  min_edge: dimension.optional(),
  /** Larger images are scaled down. */
  max_pixels: z.int().min(1).optional(),
});

const answer = z.strictObject({
  image: z
    .strictObject({
      /** `url` is downloaded under the rules for untrusted URLs; `own_url` is at `base_url` or `domains`. */
      as: z.enum(["base64", "url", "own_url", "body"]),
      at: paths.optional(),
    })
    .refine(({ as, at }) => (as === "body") === (at === undefined), {
      error: "at is required, except with as body",
    }),
  seed: z
    .strictObject({ at: paths.optional(), sent: z.literal(true).optional() })
    .refine(({ at, sent }) => (at === undefined) !== (sent === undefined), {
      error: "must have at or sent, and not both",
    })
    .optional(),
  cost: z
    .strictObject({
      at: paths.optional(),
      header: headerName.optional(),
      currency: z.enum(currencies),
      /** Units of the currency for a cost of 1, such as 0.01 for cents. */
      unit: z.number().positive().max(1_000_000).default(1),
    })
    .refine(({ at, header }) => (at === undefined) !== (header === undefined), {
      error: "must have at or header, and not both",
    })
    .optional(),
  /** Where the units of the call are that the vendor states. They are rounded to whole numbers. */
  units: z
    .partialRecord(
      z.enum(usageUnits),
      z.strictObject({ at: path, times: z.number().positive().max(1_000_000).default(1) }),
    )
    .default({}),
});

const test = z
  .strictObject({
    at: path.optional(),
    header: headerName.optional(),
    equals: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
    matches: expression.optional(),
    exists: z.boolean().optional(),
  })
  .refine(({ at, header }) => (at === undefined) !== (header === undefined), {
    error: "must have at or header, and not both",
  })
  .refine(
    ({ equals, matches, exists }) =>
      [equals, matches, exists].filter((given) => given !== undefined).length === 1,
    { error: "must have one of equals, matches and exists" },
  );

const rule = z
  .strictObject({
    /** Default: every answer for `refused`, and only that to `submit` for all other outcomes. */
    on: z.array(z.enum(moments)).min(1).optional(),
    status: statuses.default([]),
    all: z.array(test).default([]),
    outcome: z.enum(outcomes),
    stage: z.enum(["request", "image"]).nullable().default(null),
    categories: z.array(text).default([]),
    categories_at: path.optional(),
  })
  .refine(({ all, status: listed }) => all.length > 0 || listed.length > 0, {
    error: "must have status or all",
  })
  .refine(({ on = [], outcome }) => !endsNoJob(outcome) || on.every((one) => one === "submit"), {
    path: ["on"],
    error:
      "must be submit for rate_limited and out_of_quota; elsewhere they say nothing about the job",
  })
  .transform((one) => ({ ...one, on: one.on ?? momentsOf(one.outcome) }));

/** Whether an outcome says that a request was not accepted, which does not end a job. */
function endsNoJob(outcome: (typeof outcomes)[number]): boolean {
  return outcome === "rate_limited" || outcome === "out_of_quota";
}

/** A poll that fails must not close a job that the vendor finishes and charges. */
function momentsOf(outcome: (typeof outcomes)[number]): (typeof moments)[number][] {
  return outcome === "refused" ? [...moments] : ["submit"];
}

const method = z.enum(["POST", "PUT"]);

const body = {
  /** A JSON body, or with `form` the part of the form named by `json_field`. */
  json: z.json().optional(),
  /** Fields of a form; a list is sent as several parts of the same name. */
  form: z.record(z.string(), z.json()).optional(),
  json_field: text.optional(),
};

/** The body of a described request. */
export type DescribedBody = z.infer<z.ZodObject<typeof body>>;

/** Whether the parts of a body fit together. */
function isBody({ form, json, json_field }: DescribedBody): boolean {
  if (json === undefined && form === undefined) return false;
  return (json_field !== undefined) === (json !== undefined && form !== undefined);
}
const bodyError = {
  error: "must have json, form, or both with json_field",
};

const request = z
  .strictObject({
    /** The calls that it is for; the first request that fits is sent. */
    when: z
      .strictObject({
        /** Model ids, in which `*` stands for any characters. */
        models: z.array(text).min(1).optional(),
        tasks: z.array(z.enum(describedTasks)).min(1).default(["image"]),
        images: z.boolean().optional(),
        /** The most images of a call, for APIs that take one image and several in different fields. */
        max_images: z.int().min(1).max(64).optional(),
        mask: z.boolean().optional(),
      })
      .prefault({}),
    method: method.default("POST"),
    path: text,
    headers: headers.default({}),
    ...body,
    sizes: sizes.optional(),
    images: images.optional(),
    answer: answer.optional(),
    /** Whether the prompt of a graphic names the colours of its palette. */
    palette_in_prompt: z.boolean().default(false),
  })
  .refine(isBody, bodyError);

const upload = z
  .strictObject({
    method: method.default("POST"),
    path: text,
    headers: headers.default({}),
    ...body,
  })
  .extend({ url_at: paths })
  .refine(isBody, bodyError);

const poll = z.strictObject({
  /** The values of the first answer that later requests need, by the names of their placeholders. */
  keep: z
    .record(z.string().regex(/^[a-z][a-z0-9_]*$/, "must be a name such as job_id"), path)
    .refine((kept) => Object.keys(kept).length > 0, { error: "must keep a value" }),
  interval_ms: z.int().min(1).max(60_000).default(1_000),
  status: z.strictObject({ method: z.enum(["GET", "POST"]).default("GET"), path: text }),
  state: paths,
  done: z.array(text).min(1),
  failed: z.record(z.string(), z.enum(outcomes)).default({}),
  /** Statuses that mean that the job is not known any more. */
  lost: statuses.default([404]),
  result: z.strictObject({ path: text }).optional(),
  cancel: z
    .strictObject({ method: z.enum(["GET", "POST", "PUT", "DELETE"]), path: text })
    .optional(),
});

const base = z.strictObject({
  /** Where the facts are from. */
  sources: z.array(z.strictObject({ what: text, url: z.url(), read: z.iso.date() })).default([]),
  unverified: z.array(text).default([]),
  /** Default of the provider's `base_url`. */
  base_url: serverUrl.optional(),
  /** Domains besides `base_url` that requests and the key may be sent to. */
  domains: z.array(z.hostname()).default([]),
  key: z
    .strictObject({
      /** Whether calls without a key are possible. */
      is_optional: z.boolean().default(false),
      headers,
    })
    .optional(),
  headers: headers.default({}),
  /** Whether a lost call may be repeated with the same `{key}` without paying twice. */
  repeat: z.enum(["blindly", "with_same_key"]).default("blindly"),
  prompt: z
    .strictObject({
      max_characters: z.int().min(1).optional(),
      /** Makes commands of engines in prompts, such as `<lora:…>`, plain words. */
      neutralise_commands: z.boolean().default(true),
    })
    .prefault({}),
  aspect_ratios: z.record(z.string(), text).optional(),
  sizes: sizes.optional(),
  seed: z
    .strictObject({
      min: z.int().min(0).default(0),
      max: z.int().min(1).default(4_294_967_295),
    })
    .prefault({}),
  images: images.optional(),
  mask: z
    .strictObject({
      as: z.enum(imageForms),
      /** The pixels that mark what to change. */
      changes: z.enum(["white", "black", "transparent"]),
      max_bytes: z.int().min(1).optional(),
    })
    .optional(),
  palette: z.strictObject({ item: z.json() }).optional(),
  lora: z.strictObject({ item: z.json() }).optional(),
  upload: upload.optional(),
  requests: z.array(request).min(1),
  poll: poll.optional(),
  answer,
  outcomes: z.array(rule).default([]),
  error_at: paths.default([]),
  /** Finds the seconds until the next call in the text of an error without Retry-After. */
  retry_after: z.strictObject({ matches: expression }).optional(),
  limits: z
    .strictObject({
      concurrency: z.int().min(1).max(1_000).optional(),
      requests: z.int().min(1).optional(),
      per_seconds: z.number().positive().max(86_400).default(60),
      timeout_seconds: z.number().positive().max(86_400).optional(),
      idle_seconds: z.number().positive().max(3_600).optional(),
      max_answer_bytes: z.int().min(1).max(134_217_728).optional(),
    })
    .prefault({}),
});

export type Description = z.infer<typeof base>;
export type DescribedRequest = Description["requests"][number];
export type DescribedAnswer = Description["answer"];
export type DescribedRule = Description["outcomes"][number];
export type DescribedImages = z.infer<typeof images>;
export type DescribedSizes = z.infer<typeof sizes>;

/** A description, checked as a whole: its placeholders, and parts that need each other. */
export const description = base.superRefine((described, context) => {
  const fail = (at: readonly PropertyKey[], message: string): void => {
    context.addIssue({ code: "custom", path: [...at], message });
  };
  const kept = Object.keys(described.poll?.keep ?? {});
  const inCalls = Object.keys(placeholders);
  // Texts of clients stay out of paths and headers.
  const inTexts = inCalls.filter((name) => !lists.includes(name) && !clientTexts.includes(name));
  checkTemplate(described.headers, inTexts, ["headers"], fail);
  checkTemplate(described.key?.headers, ["api_key"], ["key", "headers"], fail);
  checkTemplate(
    described.palette?.item,
    ["color", "red", "green", "blue"],
    ["palette", "item"],
    fail,
  );
  checkTemplate(described.lora?.item, ["name", "weight"], ["lora", "item"], fail);
  checkTemplate(described.images?.item, ["image"], ["images", "item"], fail);
  if (described.upload !== undefined) {
    const { form, headers: sent, json, path: at } = described.upload;
    checkTemplate(at, ["model"], ["upload", "path"], fail);
    checkTemplate(sent, ["model", "key"], ["upload", "headers"], fail);
    checkTemplate(json, ["model", "image"], ["upload", "json"], fail);
    checkTemplate(form, ["model", "image"], ["upload", "form"], fail);
  }
  for (const name of kept) {
    if (inCalls.includes(name))
      fail(["poll", "keep", name], "is the name of a placeholder already");
  }
  const { cancel, result, status: asked } = described.poll ?? {};
  const polled = ["model", ...kept];
  checkTemplate(asked?.path, polled, ["poll", "status", "path"], fail);
  checkTemplate(result?.path, polled, ["poll", "result", "path"], fail);
  checkTemplate(cancel?.path, polled, ["poll", "cancel", "path"], fail);
  if (described.repeat === "with_same_key" && !JSON.stringify(described).includes("{key}")) {
    fail(["repeat"], "needs {key} in a header or a body");
  }
  if (described.seed.min > described.seed.max) fail(["seed", "min"], "must not exceed seed.max");
  for (const [index, one] of described.requests.entries()) {
    const at = ["requests", index];
    checkTemplate(one.path, inTexts, [...at, "path"], fail);
    checkTemplate(one.headers, inTexts, [...at, "headers"], fail);
    checkTemplate(one.json, inCalls, [...at, "json"], fail);
    checkTemplate(one.form, inCalls, [...at, "form"], fail);
    checkTemplate(one.images?.item, ["image"], [...at, "images", "item"], fail);
    if ((one.sizes ?? described.sizes) === undefined) fail(at, "needs sizes, here or above");
    const used = usedBy(one);
    const sent = one.images ?? described.images;
    const hasImages = imageNames.some((name) => used.has(name));
    if (hasImages && sent === undefined) fail(at, "uses images, which needs the section images");
    if (used.has("mask") && described.mask === undefined) {
      fail(at, "uses {mask}, which needs the section mask");
    }
    const forms = [
      hasImages ? sent?.as : undefined,
      used.has("mask") ? described.mask?.as : undefined,
    ];
    if (forms.includes("file") && one.form === undefined) {
      fail(at, "sends images as files, which needs a form");
    }
    if (forms.includes("upload") && described.upload === undefined) {
      fail(at, "sends images as uploads, which needs the section upload");
    }
    if (used.has("loras") && described.lora === undefined) {
      fail(at, "uses {loras}, which needs the section lora");
    }
    if (used.has("palette") && described.palette === undefined) {
      fail(at, "uses {palette}, which needs the section palette");
    }
    if (one.when.tasks.includes("edit") && !hasImages)
      fail(at, "edits, which needs {image} or {images}");
    if (one.when.tasks.includes("combine") && !hasImages)
      fail(at, "combines, which needs {images}");
    if (!used.has("prompt")) fail(at, "must use {prompt}");
  }
});

/** The placeholders of images. */
export const imageNames = ["images", "image", "references"] as const;

/** Placeholders whose values are texts that clients write. */
const clientTexts: readonly string[] = ["prompt", "negative_prompt"];

/** Placeholders whose values are no texts. */
const lists: readonly string[] = [
  ...imageNames,
  "mask",
  "palette",
  "background_color",
  "loras",
  "extra",
];

/** The placeholders that a request uses. */
export function usedBy({ form, headers: sent, json, path: at }: DescribedRequest): Set<string> {
  return new Set(findPlaceholders(JSON.stringify([form, sent, json, at])));
}

function checkTemplate(
  template: unknown,
  allowed: readonly string[],
  at: readonly PropertyKey[],
  fail: (at: readonly PropertyKey[], message: string) => void,
): void {
  if (typeof template === "string") {
    const unknown = findPlaceholders(template).find((name) => !allowed.includes(name));
    if (unknown !== undefined) {
      fail(at, `has the unknown placeholder {${unknown}}; allowed here: ${list(allowed)}`);
    } else if (onlyPlaceholder(template) === null) {
      const inner = findPlaceholders(template).find((name) => lists.includes(name));
      // The items of lists have one image as a text.
      if (inner !== undefined && inner !== "image")
        fail(at, `{${inner}} must be a value of its own`);
    } else if (template === "{extra}" && at.at(-1) !== spread) {
      fail(at, `{extra} must be the value of the key "${spread}"`);
    }
    return;
  }
  if (typeof template !== "object" || template === null) return;
  for (const [key, inner] of Object.entries(template)) {
    const index = Array.isArray(template) ? Number(key) : key;
    if (key === spread && inner !== "{extra}") fail([...at, key], 'must be "{extra}"');
    checkTemplate(inner, allowed, [...at, index], fail);
  }
}

function list(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(", ");
}

function isExpression(source: string): boolean {
  try {
    return new RegExp(source, "i").source !== "";
  } catch {
    return false;
  }
}
