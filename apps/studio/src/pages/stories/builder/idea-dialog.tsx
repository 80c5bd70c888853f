import type { draftLanguages } from "@atelier/schemas/endpoints";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState, type KeyboardEvent } from "react";
import { call } from "../../../api.ts";
import { AssistProblem } from "../../../form/assist-problem.tsx";
import { language as studioLanguage } from "../../../language.ts";
import { texts } from "../../../texts/assist.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import form from "../../../ui/form.module.css";
import { TextField } from "../../../ui/text-field.tsx";
import { draftFromIdea } from "./draft-from-idea.ts";
import type { StoryDraft } from "./draft.ts";

type Language = (typeof draftLanguages)[number];

const languages: readonly Language[] = ["en", "de", "fr", "es", "it", "pt"];
const sceneCounts = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Asks for an idea, and puts the story that the assistant drafts of it into the form. */
export default function IdeaDialog(props: {
  readonly draft: StoryDraft;
  readonly modelId: string;
  readonly onDraft: (draft: StoryDraft) => void;
  readonly onClose: () => void;
}) {
  const { draft, modelId, onDraft, onClose } = props;
  const [idea, setIdea] = useState("");
  const [scenes, setScenes] = useState(4);
  const [language, setLanguage] = useState<Language>(studioLanguage);
  const [style, setStyle] = useState(draft.style.slice(0, 500));
  const [leaving] = useState(() => new AbortController());
  useEffect(() => () => leaving.abort(), [leaving]);
  const drafting = useMutation({
    mutationFn: async () => {
      const body = { idea, scenes, language, ...(style.trim() !== "" && { style }) };
      const { signal } = leaving;
      const { story } = await call("POST /v1/assist/story", { body, signal });
      return draftFromIdea(draft, modelId, story);
    },
    onSuccess(drafted) {
      if (leaving.signal.aborted) return;
      onDraft(drafted);
      onClose();
    },
  });
  const canSend = idea.trim() !== "" && !drafting.isPending;
  function send(): void {
    if (canSend) drafting.mutate();
  }
  // Enter would send the form of the story, which is around the dialog: this one cannot be a form.
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter") return;
    const isCommand = event.metaKey || event.ctrlKey;
    if (!isCommand && !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.nativeEvent.isComposing && !event.repeat) send();
  }
  return (
    <Dialog title={texts.assist.start} onClose={onClose}>
      {/* Enter in a field does what the button does. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={form.form} aria-busy={drafting.isPending} onKeyDown={onKeyDown}>
        <p>{texts.assist.startHint}</p>
        <Field label={texts.assist.idea}>
          {(control) => (
            <textarea
              {...control}
              dir="auto"
              rows={3}
              maxLength={2_000}
              value={idea}
              placeholder={texts.assist.ideaPlaceholder}
              onChange={({ target }) => setIdea(target.value)}
            />
          )}
        </Field>
        <div className={form.row}>
          <Field label={texts.assist.scenes}>
            {(control) => (
              <select
                {...control}
                value={scenes}
                onChange={({ target }) => setScenes(Number(target.value))}
              >
                {sceneCounts.map((count) => (
                  <option key={count}>{count}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label={texts.assist.language}>
            {(control) => (
              <select
                {...control}
                value={language}
                onChange={({ target }) => setLanguage(target.value as Language)}
              >
                {languages.map((code) => (
                  <option key={code} value={code}>
                    {new Intl.DisplayNames([code], { type: "language" }).of(code)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <TextField
          label={texts.assist.style}
          placeholder={texts.assist.stylePlaceholder}
          maxLength={500}
          value={style}
          onChange={setStyle}
        />
        <AssistProblem error={drafting.error} onRetry={() => drafting.mutate()} />
        <p role="status">{drafting.isPending && texts.assist.drafting}</p>
        <p>{texts.assist.sentTo}</p>
        <div className={form.buttons}>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button look="primary" disabled={!canSend} onClick={send}>
            {texts.assist.draft}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
