import * as z from "zod";
import { eur } from "./fields.ts";
import { scaledFrom } from "./results.ts";
import { namesOf, operations, type Operations } from "./operations.ts";

/** Creates the body of `POST /v1/quotes` for a record of operations. */
export function createQuoteRequest(record: Operations) {
  return z
    .strictObject({
      operation: z.enum(namesOf(record)).meta({
        description:
          "What is requested: one image or several, a story, one of its scenes again, an edit, a combination, a graphic or a diagram.",
      }),
      request: z.record(z.string(), z.unknown()).meta({
        description: "The request as it would be sent. It is validated in the same way.",
      }),
      in_batch: z.boolean().optional().meta({
        description: "Whether it is a request of a batch, which may cost less. Default: false.",
      }),
    })
    .meta({ id: "QuoteRequest" });
}

/** Body of `POST /v1/quotes`. */
export const quoteRequest = createQuoteRequest(operations);
export type QuoteRequest = z.infer<typeof quoteRequest>;

/** Seconds until a worker starts a job. */
export const waitSeconds = z.int().min(0).nullable();

const quotedPrice = z.strictObject({
  model: z.string(),
  operation: z.string().meta({ description: "The operation whose price applies." }),
  image_size: z.string(),
  images: z.int().positive(),
  eur_per_image: eur.meta({
    description: "Of one image, with its steps and tools; in a batch, that of the batch.",
  }),
  steps: z
    .strictObject({
      requested: z.int(),
      included: z.int().meta({ description: "Steps that the price of the size includes." }),
      eur_per_step: eur.meta({
        description: "Added for each step above, or deducted for each below.",
      }),
    })
    .nullable()
    .meta({ description: "Null when steps do not change the price." }),
  after: z
    .array(
      z.strictObject({
        model: z.string().meta({ description: "The model that makes the change." }),
        operation: z.string(),
        eur_per_image: eur,
      }),
    )
    .meta({ description: "The tools of `after` and their share of `eur_per_image`." }),
});

/** 200 of `POST /v1/quotes`. */
export const quote = z
  .strictObject({
    price_eur: eur.meta({ description: "The most that the request can cost." }),
    balance_eur: eur,
    affordable: z.boolean().meta({
      description: "Whether the balance and the budget of the key allow the request now.",
    }),
    price: quotedPrice.meta({ description: "How the price is composed." }),
    scaled_from: scaledFrom,
    renders: z.int().positive().meta({ description: "The number of images to be made." }),
    estimated_wait_seconds: waitSeconds.meta({
      description: "Estimated seconds until the first image is started; null when unknown.",
    }),
  })
  .meta({ id: "Quote" });
export type Quote = z.infer<typeof quote>;
