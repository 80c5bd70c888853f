import * as z from "zod";
import { text } from "./fields.ts";
import { exampleJobId } from "./request-fields.ts";

/** Maximum size of a book as JSON, in bytes. */
const maxBookBytes = 100_000;

export const book = z.record(z.string(), z.unknown());
export type Book = z.infer<typeof book>;

function isSmall(value: Book): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength <= maxBookBytes;
}

/** Body of `PATCH /v1/jobs/{id}`: omitted properties stay unchanged. */
export const changeJobRequest = z
  .strictObject({
    title: text
      .max(200)
      .nullable()
      .optional()
      .meta({
        description:
          "Shown and found instead of the title that the job was made with; null brings that back.",
        examples: ["The lost kite, second try"],
      }),
    starred: z.boolean().optional().meta({
      description: "Whether the job is among those that `starred=true` lists.",
    }),
    book: book
      .refine(isSmall, `must have at most ${maxBookBytes.toLocaleString("en")} bytes as JSON`)
      .nullable()
      .optional()
      .meta({
        description:
          "An object of your own, such as the texts and the cover of a story's pages: at most 100,000 bytes as JSON. It replaces the earlier one; null deletes that. The archive of a story follows its `pages`: a list of `{scene, job_id?}` in reading order, with the number of each scene from 1 and, for another try, the job that made it.",
        examples: [
          {
            language: "en",
            pages: [
              { scene: 2, text: "Mira runs over the dunes.", job_id: exampleJobId },
              { scene: 1, text: "At last, the kite." },
            ],
          },
        ],
      }),
  })
  .meta({ id: "ChangeJobRequest" });
export type ChangeJobRequest = z.infer<typeof changeJobRequest>;
