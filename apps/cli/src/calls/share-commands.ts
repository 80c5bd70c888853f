import { deleteShare, listShares } from "@atelier/schemas/endpoints";
import { Option, type Command } from "commander";
import type { Call, CallFlags } from "./call.ts";
import { leaf, wholeNumber } from "./leaf.ts";
import { addDelete, addList } from "./resource.ts";

/** Of the images or scenes of a job. */
const indexes = Array.from({ length: 10 }, (_, index) => String(index));

/** Adds the commands for links to images. */
export function addShares(program: Command, call: Call): void {
  const group = program.command("shares").description("share images by links, list and stop them");

  addList(group, call, listShares, {
    ID: "id",
    JOB: "job_id",
    IMAGE: ({ image }) => (image === null ? "all" : String(image)),
    KEPT: ({ kept }) => (kept ? "yes" : "no"),
    ENDS: "expires_at",
  });

  leaf(group, "create", "share the images of a completed job, and print the link once")
    .argument("<job-id>", "id of the job")
    .option("--days <days>", "how long the link works, 1 to 30 days", wholeNumber, 7)
    .addOption(new Option("--image <index>", "only this image or scene, from 0").choices(indexes))
    .option("--keep", "keep the images, so that the link does not end with their retention")
    .action((jobId: string, { days, image, keep, ...flags }: CallFlags & CreateFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const share = await atelier.shares.create(
          {
            job_id: jobId,
            days,
            ...(image !== undefined && { image: Number(image) }),
            ...(keep !== undefined && { keep }),
          },
          { signal },
        );
        const note = share.kept
          ? `The link ends at ${share.expires_at}. The images are kept.`
          : `The link ends at ${share.expires_at}, at the latest with the images, which are not kept.`;
        return { json: share, text: share.url, note };
      }, flags),
    );

  addDelete(group, call, deleteShare, "share", "stop a share: its link ends at once");
}

interface CreateFlags {
  readonly days: number;
  readonly image?: string;
  readonly keep?: true;
}
