import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { keepDraft } from "../../data/kept-draft.ts";
import { readDraft, type Draft } from "./draft.ts";

/** State of the history entry by which another page passes a draft to the form. */
interface Passed {
  readonly draft?: Draft;
}

/** Opens the form with a change of the draft that this tab keeps. */
export function useOpenDraft(): (part: Partial<Draft>) => void {
  const [, navigate] = useLocation();
  return (part) => navigate<Passed>("/", { state: { draft: { ...readDraft(), ...part } } });
}

/** The draft of the form, and the function that changes it. This tab keeps it. */
export function useDraft() {
  const [, navigate] = useLocation();
  const passed = useHistoryState<Passed | null>()?.draft;
  const [draft, setDraft] = useState(() => passed ?? readDraft());
  useEffect(() => keepDraft("create", draft), [draft]);
  // A reload shows the draft as it was changed since.
  const isOpened = passed !== undefined;
  useEffect(() => {
    if (isOpened) navigate("/", { replace: true });
  }, [isOpened, navigate]);
  return [draft, setDraft] as const;
}
