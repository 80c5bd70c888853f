import type { Job } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { jobQuery } from "../../../data/queries.ts";
import { texts } from "../../../texts/stories.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Problem } from "../../../ui/problem.tsx";
import type { ShownRequest, StoryImage } from "../story-cards.ts";
import { contentOfAdded, contentOfOwn, type SceneContent } from "./added-request.ts";
import { SceneDialog } from "./scene-dialog.tsx";

/** Characters of a prompt in lists of jobs. */
const listedLength = 200;

/** Adds a scene after another one, or makes a scene again. */
export function SceneToMake(props: {
  readonly job: Job;
  /** The scene before the new one, whose cast and place it begins with; or the scene to make again. */
  readonly image: StoryImage;
  /** The number of a new scene; null to make the scene of the image again. */
  readonly number: number | null;
  /** The pictures of the cast that scenes use. */
  readonly cast: readonly StoryImage[];
  readonly onClose: () => void;
}) {
  const { job, image, number, cast, onClose } = props;
  const { scene = 0, drawnBy } = image;
  const isOwn = scene <= (job.scenes_total ?? 0);
  // Lists do not have the request of a scene that was added.
  const { data: added, error, refetch } = useQuery({ ...jobQuery(drawnBy), enabled: !isOwn });
  if (!isOwn && added === undefined) {
    if (error === null) return null;
    const { againTitle, sceneToAdd } = texts.stories;
    return (
      <Dialog title={number === null ? againTitle(scene) : sceneToAdd(number)} onClose={onClose}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Dialog>
    );
  }
  let content: SceneContent = { ...contentOfOwn(job, scene), prompt: textOf(job, image) };
  if (!isOwn && added !== undefined) content = contentOfAdded(job, added);
  const first = number === null ? content : { ...content, prompt: "", aspectRatio: undefined };
  return (
    <SceneDialog
      {...{ job, first, cast, onClose }}
      number={number ?? scene}
      isNew={number !== null}
    />
  );
}

/** Returns the text of an image. Lists cut a long text: then it is the one of the story's request. */
function textOf(job: Job, { scene = 1, version, text }: StoryImage): string {
  const request: ShownRequest = job.request;
  const isCut = version > 1 && text.length >= listedLength;
  return isCut ? (request.scenes?.[scene - 1]?.prompt ?? text) : text;
}
