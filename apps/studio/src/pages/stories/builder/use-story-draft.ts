import type { Model } from "@atelier/schemas";
import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { keepDraft } from "../../../data/kept-draft.ts";
import { isBlank, readDraft, type ChangeDraft, type StoryDraft } from "./draft.ts";
import { exampleDraft, fitExample } from "./example.ts";

const formPath = "/stories/new";

/** State of the history entry by which another page passes a draft to the form. */
interface Passed {
  readonly draft?: StoryDraft;
}

/** Opens a draft in the form, which offers the draft that it replaces. */
export function useOpenDraft(): (draft: StoryDraft) => void {
  const [, navigate] = useLocation();
  return (draft) => navigate<Passed>(formPath, { state: { draft } });
}

/**
 * The draft of this browser, its model, and the draft that an example, a copy or a file has replaced.
 *
 * @param models those that make stories.
 */
export function useStoryDraft(models: readonly Model[]) {
  const [, navigate] = useLocation();
  const wantsExample = new URLSearchParams(useSearch()).has("example");
  const passed = useHistoryState<Passed | null>()?.draft;
  const [kept] = useState(readDraft);
  const opened = wantsExample ? exampleDraft : passed;
  const [draft, setDraft] = useState(opened ?? kept);
  const [replaced, setReplaced] = useState<StoryDraft | null>(
    opened !== undefined && !isBlank(kept) ? kept : null,
  );
  useEffect(() => keepDraft("story", draft), [draft]);
  // A reload shows the draft as it was changed since.
  const isOpened = opened !== undefined;
  useEffect(() => {
    if (isOpened) navigate(formPath, { replace: true });
  }, [isOpened, navigate]);
  const [isExample, setExample] = useState(wantsExample);
  const model = models.find(({ id }) => id === draft.model) ?? models[0];
  useEffect(() => {
    if (isExample && model !== undefined) setDraft((before) => fitExample(before, model));
  }, [isExample, model]);
  const change: ChangeDraft = (update) => setDraft((before) => ({ ...before, ...update(before) }));
  return {
    draft,
    model,
    change,
    replaced,
    replace: (next: StoryDraft) => {
      setReplaced(isBlank(draft) ? null : draft);
      setExample(false);
      setDraft(next);
    },
    restore: () => {
      setExample(false);
      if (replaced !== null) setDraft(replaced);
      setReplaced(null);
    },
  };
}
