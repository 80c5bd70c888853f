import { useEffect, useState } from "react";
import { isTyping } from "../../ui/is-typing.ts";
import { fileOf, readHash, type Subject } from "./check-file.ts";

/**
 * Takes files that are dropped anywhere on the page, which the browser would open in its place, and
 * pasted files and hashes. A paste into a field stays there.
 *
 * @returns whether a file is held over the page.
 */
export function useTransfers(onSubject: (subject: Subject) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener(
      "dragover",
      (event) => {
        if (event.dataTransfer?.types.includes("Files") !== true) return;
        event.preventDefault();
        setOver(true);
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
        onSubject({ file });
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
