import { Suspense, useState } from "react";
import { useAssistant } from "../../../data/use-assistant.ts";
import { texts } from "../../../texts/stories.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { loadLater } from "../../../ui/load-later.ts";
import type { StoryDraft } from "./draft.ts";

const IdeaDialog = loadLater(async () => (await import("./idea-dialog.tsx")).default);

/** A button that drafts the story from one sentence, if the service has an assistant. */
export function StartFromIdea(props: {
  readonly draft: StoryDraft;
  readonly modelId: string;
  readonly onDraft: (draft: StoryDraft) => void;
}) {
  const hasAssistant = useAssistant();
  const [isOpen, setOpen] = useState(false);
  if (!hasAssistant) return null;
  return (
    <div>
      <Button onClick={() => setOpen(true)}>
        <Icon name="spark" size={16} /> {texts.stories.startFromIdea}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <IdeaDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
