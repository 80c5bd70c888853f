import type { Job } from "@atelier/schemas";
import { PictureMenu } from "../../../pictures/picture-menu.tsx";
import { useInCreate } from "../../../pictures/use-in-create.ts";
import type { StoryImage } from "../story-cards.ts";

/** The actions on the image of a scene, as on every picture; none if its files were deleted. */
export function StoryMenu(props: {
  readonly image: StoryImage;
  /** The job that made the image: the story, or one of its scenes. */
  readonly job:
    | Pick<Job, "completed_at" | "id" | "keep" | "key" | "kind" | "mode" | "operation" | "starred">
    | undefined;
  readonly onJob: () => void;
}) {
  const { image, job, onJob } = props;
  const use = useInCreate();
  const { scene, formats, hash = "", thumbnailUrl, url, text, name } = image;
  if (job === undefined || scene === undefined || Object.keys(formats).length === 0) return null;
  const index = job.kind === "story" ? scene - 1 : 0;
  return (
    <PictureMenu
      {...{ job, use, onJob }}
      image={{ index, hash, formats, thumbnailUrl, url, seed: undefined, layers: [] }}
      title={text || name}
      openIn="library"
    />
  );
}
