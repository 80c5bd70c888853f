import * as z from "zod";
import { moderationCategories } from "../policy.ts";

const category = z.enum(moderationCategories);

const pattern = z.string().superRefine((source, context) => {
  try {
    return void RegExp(source);
  } catch (error) {
    context.addIssue(`is not a regular expression: ${(error as Error).message}`);
  }
});

/** Where a part of the answer is: a line counted from 1, a path in JSON, or the group of a pattern. */
const place = z.union(
  [
    z.strictObject({ line: z.int().positive() }),
    z.strictObject({ json: z.string().min(1) }),
    z.strictObject({ pattern }),
  ],
  { error: 'must be {"line": 1}, {"json": "a.b"} or {"pattern": "…(…)…"}' },
);

/** The meaning of a label of the model, or of a policy. */
const meaning = {
  category,
  /** Also refused at `liberal`. */
  liberal: z.boolean().default(false),
  /** Never more than uncertain: the label covers more than the category. */
  uncertain: z.boolean().default(false),
  /** Ignored when the model itself is uncertain. */
  only_unsafe: z.boolean().default(false),
};

const words = z.array(z.string().trim().toLowerCase().min(1));

/** The meaning of each label of a model; null for labels that do not apply to images. */
export const labelMeanings = z.record(z.string(), z.strictObject(meaning).nullable());

/** The description of a guard model: its prompt, the form of its answers, and what they mean. */
export const guardDescription = z
  .strictObject({
    /** Where the format is documented, and when it was read. */
    source: z.string().optional(),
    /** The conversation; `{text}` stands for the texts and `{policy}` for the policy. */
    messages: z
      .array(z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string() }))
      .min(1),
    /** Other fields of the request. */
    parameters: z.record(z.string(), z.json()).default({ temperature: 0, max_tokens: 64 }),
    /** Texts of a request are joined up to this length, in characters. */
    max_characters: z.int().positive().default(8_000),
    /** Whether the model takes a message with nothing but an image. */
    sees_images: z.boolean().default(false),
    answer: z.strictObject({
      verdict: place,
      safe: words.min(1),
      uncertain: words.default([]),
      unsafe: words.min(1),
      /** The names of what was found, separated by commas; not for models that judge one policy. */
      labels: place.optional(),
    }),
    labels: labelMeanings.optional(),
    /** For a model that judges one policy per request. */
    policies: z
      .array(z.strictObject({ ...meaning, text: z.string().min(1) }))
      .min(1)
      .optional(),
  })
  .superRefine(({ messages, answer, labels, policies, sees_images: seesImages }, context) => {
    const contains = (part: string) => messages.some(({ content }) => content.includes(part));
    const issue = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (!contains("{text}")) issue("messages", "must contain {text}");
    if ((labels === undefined) === (policies === undefined)) {
      issue("labels", "either labels or policies is required");
    }
    if (labels !== undefined && answer.labels === undefined) {
      issue("answer", "labels is required, which says where the labels are");
    }
    if (policies !== undefined && !contains("{policy}")) issue("messages", "must contain {policy}");
    if (policies !== undefined && seesImages) {
      issue("sees_images", "must be false with policies: an image is sent without a text");
    }
  });

export type GuardDescription = z.infer<typeof guardDescription>;
