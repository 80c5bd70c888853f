import * as z from "zod";

/** How far an image is, as its engine reports it. */
export const renderProgress = z
  .strictObject({
    render: z.int().min(0).meta({ description: "Position of the image in the job, from 0." }),
    progress: z.number().min(0).max(1).meta({ description: "From 0 to 1." }),
    step: z.int().min(0).nullable().meta({ description: "Sampling steps done; null if unknown." }),
    of: z.int().min(0).nullable().meta({ description: "Steps in all; null if unknown." }),
  })
  .meta({ id: "RenderProgress" });
export type RenderProgress = z.infer<typeof renderProgress>;

/** The data of the event `job.progress`. */
export const jobProgress = renderProgress
  .extend({ job_id: z.uuid() })
  .meta({ id: "JobProgress", description: "How far an image of a job is." });
export type JobProgress = z.infer<typeof jobProgress>;
