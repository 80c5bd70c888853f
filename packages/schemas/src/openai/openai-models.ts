import * as z from "zod";

/** Fields of a model in the format of OpenAI's API. */
export const openaiModelFields = {
  object: z.literal("model"),
  created: z.int().meta({
    description: "The day of its prices in seconds since 1970; 0 if that is not known.",
  }),
  owned_by: z.string().meta({ description: "Its provider." }),
};

/** A model in the format of OpenAI's API. */
export const openaiModel = z
  .strictObject({
    id: z.string().meta({ description: "The `model` of requests." }),
    ...openaiModelFields,
  })
  .meta({ id: "OpenAIModel" });
export type OpenAIModel = z.infer<typeof openaiModel>;
