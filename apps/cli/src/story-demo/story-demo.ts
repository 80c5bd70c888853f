import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { job as jobSchema, jobAccepted, type GenerationResponse, type Job } from "@atelier/schemas";
import { call, type Caller } from "./caller.ts";
import { makeContactSheet } from "./contact-sheet.ts";
import type { StoryProgress } from "./story-progress.ts";

export interface StoryDemoResult {
  readonly jobId: string;
  readonly title: string;
  readonly costEur: string;
  readonly balanceEur: string;
  /** Where the scenes and the contact sheet were saved. */
  readonly sheet: string;
  readonly scenes: readonly { readonly title: string; readonly file: string }[];
}

const pollIntervalMs = 250;

/**
 * Has the service make the story of the README, waits for it with progress, and saves its scenes and
 * a contact sheet on which one sees that the characters stay themselves.
 *
 * @throws Error with the service's message when the story is refused or fails.
 */
export async function tellStory(
  caller: Caller,
  directory: string,
  progress: StoryProgress,
): Promise<StoryDemoResult> {
  const request = JSON.parse(
    await readFile(new URL("lighthouse-story.json", import.meta.url), "utf8"),
  ) as object;
  const { job_id } = jobAccepted.parse(await call(caller, "POST", "/v1/generate/story", request));
  const { result } = await untilCompleted(caller, job_id, progress);
  if (result === null) throw new Error(`job ${job_id} has no result`);

  await mkdir(directory, { recursive: true });
  const { scenes = [], characters = [], locations = [] } = result;
  const images = await Promise.all(scenes.map(({ image_url }) => download(image_url)));
  const files = await Promise.all(
    images.map(async (image, index) => {
      const file = join(directory, `scene-${index + 1}.png`);
      await writeFile(file, image);
      return { title: scenes[index]?.title ?? "", file };
    }),
  );
  const references = await Promise.all(
    [...characters, ...locations].map(({ reference_url }) => download(reference_url)),
  );
  const sheet = join(directory, "contact-sheet.png");
  await writeFile(sheet, await makeContactSheet(references, images));
  return describe(result, sheet, files);
}

function describe(
  result: GenerationResponse,
  sheet: string,
  scenes: StoryDemoResult["scenes"],
): StoryDemoResult {
  const { id, title = "", cost_eur, balance_eur } = result;
  return { jobId: id, title, costEur: cost_eur, balanceEur: balance_eur, sheet, scenes };
}

async function untilCompleted(
  caller: Caller,
  jobId: string,
  progress: StoryProgress,
): Promise<Job> {
  for (;;) {
    const job = jobSchema.parse(await call(caller, "GET", `/v1/jobs/${jobId}`));
    progress.show(job);
    if (job.status === "pending" || job.status === "processing") {
      await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
      continue;
    }
    progress.end();
    if (job.status === "completed") return job;
    throw new Error(
      job.error === null ? "The story was cancelled." : `${job.error.error}: ${job.error.message}`,
    );
  }
}

async function download(url: string | undefined): Promise<Uint8Array> {
  if (url === undefined) throw new Error("an image of the story is not available any more");
  const response = await fetch(url);
  if (!response.ok) throw new Error(`an image could not be downloaded: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
