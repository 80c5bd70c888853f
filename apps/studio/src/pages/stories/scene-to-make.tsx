import type { Job } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { jobQuery } from "../../data/queries.ts";
import { texts } from "../../texts/stories.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { contentOfAdded, contentOfOwn, type SceneContent } from "./added-request.ts";
import { AgainDialog } from "./again-dialog.tsx";
import { SceneDialog } from "./scene-dialog.tsx";
import type { StoryImage } from "./story-cards.ts";

/** Adds a scene after another one, or makes a scene again. */
export function SceneToMake(props: {
  readonly job: Job;
  /** The scene before the new one, whose cast and place it begins with; or the scene to make again. */
  readonly image: StoryImage;
  /** The number of a new scene; null to make the scene of the image again. */
  readonly number: number | null;
  readonly onClose: () => void;
}) {
  const { job, image, number, onClose } = props;
  const { scene = 0, jobId } = image;
  const isOwn = scene <= (job.scenes_total ?? 0);
  // Lists do not have the request of a scene that was added.
  const { data: added, error, refetch } = useQuery({ ...jobQuery(jobId), enabled: !isOwn });
  if (isOwn && number === null) return <AgainDialog {...{ job, image, onClose }} />;
  if (!isOwn && added === undefined) {
    if (error === null) return null;
    const { againTitle, sceneToAdd } = texts.stories;
    return (
      <Dialog title={number === null ? againTitle(scene) : sceneToAdd(number)} onClose={onClose}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Dialog>
    );
  }
  let content: SceneContent = contentOfOwn(job, scene);
  if (!isOwn && added !== undefined) content = contentOfAdded(job, added);
  const first = number === null ? content : { ...content, prompt: "", aspectRatio: undefined };
  return (
    <SceneDialog {...{ job, first, onClose }} number={number ?? scene} isNew={number !== null} />
  );
}
