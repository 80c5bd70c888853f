import type { Job } from "@atelier/schemas";
import { useEffect, useState } from "react";
import { jobQuery, queryClient } from "../../data/queries.ts";
import { texts } from "../../texts/stories.ts";
import { Notice } from "../../ui/notice.tsx";
import { againRequest } from "./again-request.ts";
import { SceneForm } from "./scene-form.tsx";
import type { ShownRequest, StoryImage } from "./story-cards.ts";

/** Characters of a prompt in lists of jobs. */
const listedLength = 200;

/** Makes one scene of a completed story again. Its earlier images stay. */
export function AgainDialog(props: {
  readonly job: Job;
  /** The image of the scene, or one that was made again. */
  readonly image: StoryImage;
  readonly onClose: () => void;
}) {
  const { job, image, onClose } = props;
  const number = image.scene ?? 1;
  const [prompt, setPrompt] = useState(() => textOf(job, image));
  // The URLs of the portraits are valid for an hour.
  useEffect(() => void queryClient.invalidateQueries(jobQuery(job.id)), [job.id]);
  const body = againRequest(job, number, prompt);
  return (
    <SceneForm
      {...{ job, prompt, body, onClose }}
      title={texts.stories.againTitle(number)}
      hint={texts.stories.againHint}
      action={texts.stories.makeAgain}
      rows={4}
      onPrompt={setPrompt}
    >
      {body === null && <Notice kind="bad">{texts.stories.referencesGone}</Notice>}
    </SceneForm>
  );
}

/** Returns the text of an image. Lists cut a long text: then it is the one of the story's request. */
function textOf(job: Job, { scene = 1, version, text }: StoryImage): string {
  const request: ShownRequest = job.request;
  const isCut = version > 1 && text.length >= listedLength;
  return isCut ? (request.scenes?.[scene - 1]?.prompt ?? text) : text;
}
