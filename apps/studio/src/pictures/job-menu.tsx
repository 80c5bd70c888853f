import { useQuery } from "@tanstack/react-query";
import { jobQuery, queryClient } from "../data/queries.ts";
import { isKept, titleOf, toListed } from "../pages/library/images-of-job.ts";
import { imagesOf } from "./images-of.ts";
import { PictureMenu, type PictureUse } from "./picture-menu.tsx";

/** The menu of an image of which only the job and the position are known; none if its files were deleted. */
export function JobMenu(props: {
  readonly jobId: string;
  /** Position in the result, from 0. */
  readonly index: number;
  readonly use: PictureUse;
}) {
  const { jobId, index, use } = props;
  const { data: job } = useQuery(jobQuery(jobId));
  const image = job?.result == null ? undefined : imagesOf(job.result)[index];
  if (job === undefined || image === undefined || !isKept(image)) return null;
  return (
    <PictureMenu
      {...{ job, image, use }}
      title={titleOf(toListed(job))}
      openIn="library"
      onJob={() => void queryClient.invalidateQueries({ queryKey: ["jobs"] })}
    />
  );
}
