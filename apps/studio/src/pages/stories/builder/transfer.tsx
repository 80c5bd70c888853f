import { useRef, useState } from "react";
import { messageOf } from "../../../api.ts";
import { saveFile } from "../../../data/save-file.ts";
import { texts } from "../../../texts/stories.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { fileName } from "../file-name.ts";
import type { StoryBody } from "../story-request.ts";
import styles from "./builder.module.css";
import type { StoryDraft } from "./draft.ts";
import { readStoryFile, type StoryProblem } from "./read-story.ts";

/** Import and export of the request as JSON. */
export function Transfer(props: {
  readonly draft: StoryDraft;
  readonly request: StoryBody;
  /** Whether no required text is empty. */
  readonly isComplete: boolean;
  readonly onImport: (draft: StoryDraft) => void;
}) {
  const { draft, request, isComplete, onImport } = props;
  const input = useRef<HTMLInputElement>(null);
  const [problems, setProblems] = useState<readonly StoryProblem[] | null>(null);

  async function read(file: File): Promise<void> {
    const story = await readStoryFile(file);
    if ("problems" in story) {
      setProblems(story.problems);
    } else {
      onImport(story.draft);
      showToast(texts.stories.imported);
    }
  }
  function save(): void {
    const json = `${JSON.stringify(request, null, 2)}\n`;
    const content = new Blob([json], { type: "application/json" });
    saveFile(`${fileName(draft.title, "story")}.json`, content);
    if (!isComplete) showToast(texts.stories.exportedIncomplete);
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label={texts.stories.importFile}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined)
            void read(file).catch((error: unknown) => showToast(messageOf(error)));
          target.value = "";
        }}
      />
      <div className={styles.transfer}>
        <Button
          look="ghost"
          title={texts.stories.importFile}
          onClick={() => input.current?.click()}
        >
          <Icon name="upload" size={16} /> {texts.stories.import}
        </Button>
        <Button look="ghost" title={texts.stories.exportFile} onClick={save}>
          <Icon name="download" size={16} /> {texts.stories.export}
        </Button>
      </div>
      {problems !== null && (
        <Dialog title={texts.stories.importFailed} onClose={() => setProblems(null)}>
          <p>{texts.stories.importFailedHint}</p>
          <ul className={styles.importProblems}>
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                {path !== "" && <code>{path}</code>} {message}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
