import type { Job } from "@atelier/schemas";
import { useState } from "react";
import { texts } from "../../../texts/stories.ts";
import { SceneForm } from "../board/scene-form.tsx";
import type { StoryImage } from "../story-cards.ts";
import { memberRequest } from "./member-request.ts";

/** Makes a portrait, a look or a place of a completed story again. The story uses it once it is chosen. */
export function MemberDialog(props: {
  readonly job: Job;
  /** The picture to make again. */
  readonly image: StoryImage;
  /** The pictures of the cast that scenes use. */
  readonly cast: readonly StoryImage[];
  readonly onClose: () => void;
}) {
  const { job, image, cast, onClose } = props;
  const [text, setText] = useState(image.text);
  const body = memberRequest(job, image, text, cast);
  const { appearance, stateDescription, memberHint, againName, again } = texts.stories;
  return (
    <SceneForm
      {...{ job, body, onClose }}
      operation="story"
      path={pathOf(image)}
      title={againName(image.name)}
      label={image.role === "state" ? stateDescription : appearance}
      hint={memberHint}
      action={again}
      rows={4}
      prompt={text}
      onPrompt={setText}
      quoted={memberRequest(job, image, "description", cast)}
    />
  );
}

/** Where its description is in the request that makes it again. */
function pathOf({ member }: StoryImage): string {
  if (member?.location !== undefined) return "locations.0.description";
  return member?.state === undefined
    ? "characters.0.description"
    : `characters.0.states.${member.state}.description`;
}
