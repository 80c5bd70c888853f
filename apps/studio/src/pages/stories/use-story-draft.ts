import type { Model } from "@atelier/schemas";
import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { isBlank, readDraft, writeDraft, type ChangeDraft, type StoryDraft } from "./draft.ts";
import { exampleDraft, fitExample } from "./example.ts";

/**
 * The draft of this browser, its model, and the draft that an example or a file has replaced.
 *
 * @param models those that make stories.
 */
export function useStoryDraft(models: readonly Model[]) {
  const [search, setSearch] = useSearchParams();
  const wantsExample = search.has("example");
  const [kept] = useState(readDraft);
  const [draft, setDraft] = useState(wantsExample ? exampleDraft : kept);
  const [replaced, setReplaced] = useState<StoryDraft | null>(
    wantsExample && !isBlank(kept) ? kept : null,
  );
  useEffect(() => writeDraft(draft), [draft]);
  useEffect(() => {
    if (wantsExample) setSearch({}, { replace: true });
  }, [wantsExample, setSearch]);
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
