import { useMutation } from "@tanstack/react-query";
import { texts } from "../../texts/library.ts";
import { showToast } from "../../ui/toast.tsx";
import { useTransfers, type Subject } from "../../ui/use-transfers.ts";
import { HashProblem, hashOf } from "./hash-of.ts";

/**
 * Finds the hash of a file that is chosen, or dropped or pasted anywhere on the page, and takes pasted
 * hashes.
 *
 * @returns a function that takes a file, and whether one is held over the page.
 */
export function useFileSearch(onHash: (hash: string) => void): {
  readonly search: (file: File) => void;
  readonly isOver: boolean;
} {
  const { mutate } = useMutation({
    mutationFn: (subject: Subject) =>
      "file" in subject ? hashOf(subject.file) : Promise.resolve(subject.sha256),
    onSuccess: onHash,
    onError: (error) =>
      showToast(error instanceof HashProblem ? error.message : texts.library.hashUnreadable),
  });
  const isOver = useTransfers((subject) => {
    // A dialog is about something else.
    if (document.querySelector("dialog[open]") === null) mutate(subject);
  });
  return { search: (file) => mutate({ file }), isOver };
}
