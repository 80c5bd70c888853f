import { useEffect, useRef, useState } from "react";
import { isTyping } from "./input/is-typing.ts";

/** A file, or the hash of one. */
export type Subject = { readonly file: File } | { readonly sha256: string };

/** A SHA-256 as the service expects it; null for other texts. Spaces and capitals do not count. */
export function readHash(text: string): string | null {
  const hash = text.replaceAll(/\s/g, "").toLowerCase();
  return /^[0-9a-f]{64}$/.test(hash) ? hash : null;
}

/** The first file of a paste or drop. */
function fileOf(transfer: DataTransfer | null): File | null {
  return transfer?.files[0] ?? null;
}

/**
 * Takes files that are dropped anywhere on the page, which the browser would open in its place, and
 * pasted files and hashes. A paste into a field stays there, and so does what is dragged from the page
 * itself, such as one of its pictures.
 *
 * @returns whether a file is held over the page.
 */
export function useTransfers(onSubject: (subject: Subject) => void): boolean {
  const [isOver, setOver] = useState(false);
  // Browsers treat a picture of the page that is dragged as a file.
  const isOwn = useRef(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("dragstart", () => (isOwn.current = true), { signal });
    addEventListener("dragend", () => (isOwn.current = false), { signal });
    addEventListener(
      "dragover",
      (event) => {
        if (event.dataTransfer?.types.includes("Files") !== true) return;
        event.preventDefault();
        setOver(!isOwn.current);
      },
      { signal },
    );
    addEventListener(
      "dragleave",
      // Leaving an element for another one of the page names that one.
      ({ relatedTarget }) => setOver(relatedTarget !== null),
      { signal },
    );
    addEventListener(
      "drop",
      (event) => {
        setOver(false);
        const file = fileOf(event.dataTransfer);
        if (file === null) return;
        event.preventDefault();
        if (!isOwn.current) onSubject({ file });
      },
      { signal },
    );
    addEventListener(
      "paste",
      (event) => {
        const file = fileOf(event.clipboardData);
        const sha256 = readHash(event.clipboardData?.getData("text") ?? "");
        if (file !== null) onSubject({ file });
        else if (sha256 !== null && !isTyping(event.target)) onSubject({ sha256 });
        else return;
        event.preventDefault();
      },
      { signal },
    );
    return () => listening.abort();
  });
  return isOver;
}
