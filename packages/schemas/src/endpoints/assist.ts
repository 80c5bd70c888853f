import * as z from "zod";
import { optional, text } from "../fields.ts";
import { endpoint, json } from "./endpoint.ts";

/** Languages that a story can be drafted in (ISO 639-1): those whose titles the service can shorten. */
export const draftLanguages = ["en", "de", "fr", "es", "it", "pt"] as const;

const style = optional(text.max(500)).meta({
  description: "Visual style that the texts must suit.",
  examples: ["watercolour"],
});

const improvePromptRequest = z
  .strictObject({
    prompt: text.max(4_000).meta({
      description: "The prompt to rewrite.",
      examples: ["a cat on a roof"],
    }),
    style,
  })
  .meta({ id: "ImprovePromptRequest" });

const promptSuggestions = z
  .strictObject({
    suggestions: z
      .array(
        z.strictObject({
          prompt: z.string().meta({ description: "The rewritten prompt, as plain text." }),
          added: z.array(z.string()).meta({ description: "What it adds to the given prompt." }),
        }),
      )
      .meta({ description: "1 to 3." }),
  })
  .meta({ id: "PromptSuggestions" });
export type PromptSuggestions = z.infer<typeof promptSuggestions>;

const draftStoryRequest = z
  .strictObject({
    idea: text.max(2_000).meta({
      description: "The story in a sentence or two.",
      examples: ["A shy fox learns to sing"],
    }),
    scenes: optional(z.int().min(2).max(10)).meta({
      description: "Number of scenes. Default: 4.",
    }),
    language: optional(z.enum(draftLanguages)).meta({
      description: "Language of all texts (ISO 639-1). Default: that of the idea.",
    }),
    style,
  })
  .meta({ id: "DraftStoryRequest" });

const named = z.strictObject({ name: z.string(), description: z.string() });

const storyDraft = z
  .strictObject({
    story: z
      .strictObject({
        title: z.string(),
        setting: z.string().optional(),
        style: z.string().optional(),
        characters: z.array(named),
        locations: z.array(named),
        scenes: z.array(
          z.strictObject({
            prompt: z.string(),
            characters: z.array(z.strictObject({ name: z.string() })),
            location: z.string().optional(),
          }),
        ),
      })
      .meta({
        description:
          "A request of `POST /v1/generate/story` without `model`. Every text is plain text of the assistant: show it to a person before it is used.",
      }),
  })
  .meta({ id: "StoryDraft" });
export type StoryDraft = z.infer<typeof storyDraft>;

const limits =
  "Not charged; an account may send a number of such requests a day that the operator sets, then 429 `rate_limited` says in `Retry-After` when the next one is possible. The given texts and the answer are moderated like prompts. 404 `assistant_off` on a server without an assistant: `assistant` of `GET /v1/account` says whether it has one. Needs the scope `generate`.";

const errors = [
  "assistant_off",
  "content_policy_violation",
  "content_illegal",
  "provider_error",
  "provider_refused",
  "provider_unavailable",
] as const;

export const improvePrompt = endpoint({
  id: "improvePrompt",
  route: "POST /v1/assist/prompt",
  tag: "Assistant",
  summary: "Suggest better prompts",
  description: `Rewrites a prompt in up to three ways by a language model of the operator. ${limits}`,
  scope: ["generate"],
  body: {
    schema: improvePromptRequest,
    examples: { cat: ["A prompt", { prompt: "a cat on a roof", style: "watercolour" }] },
  },
  results: {
    200: json("The suggestions.", promptSuggestions, {
      suggestions: [
        "A suggestion",
        {
          suggestions: [
            {
              prompt:
                "A grey cat on a red tiled roof at dusk, warm light from a window below, loose watercolour",
              added: ["the roof and its colour", "the time of day", "the light"],
            },
          ],
        },
      ],
    }),
  },
  errors,
});

export const draftStory = endpoint({
  id: "draftStory",
  route: "POST /v1/assist/story",
  tag: "Assistant",
  summary: "Draft a story",
  description: `Turns an idea into characters, locations and scenes by a language model of the operator, as a request for \`POST /v1/generate/story\` that is not sent. ${limits}`,
  scope: ["generate"],
  body: {
    schema: draftStoryRequest,
    examples: {
      fox: [
        "An idea",
        { idea: "A shy fox learns to sing", scenes: 2, language: "en", style: "watercolour" },
      ],
    },
  },
  results: {
    200: json("The draft.", storyDraft, {
      draft: [
        "Two scenes",
        {
          story: {
            title: "The Fox Who Sang",
            setting: "A birch wood in early spring",
            style: "watercolour",
            characters: [
              { name: "Fenn", description: "a small red fox with one white ear and a green scarf" },
            ],
            locations: [{ name: "Clearing", description: "a clearing with birches and a pond" }],
            scenes: [
              {
                prompt: "Fenn hides behind a birch and listens to the birds",
                characters: [{ name: "Fenn" }],
                location: "Clearing",
              },
              {
                prompt: "Fenn sings on a stone in the pond while the birds listen",
                characters: [{ name: "Fenn" }],
                location: "Clearing",
              },
            ],
          },
        },
      ],
    }),
  },
  errors,
});

/** `/v1/assist`. */
export const assistEndpoints = [improvePrompt, draftStory] as const;
