import { useEffect, useRef, useState } from "react";
import type { DraftReference } from "../draft.ts";

/** The type of an image of a job while it is dragged. */
const imageType = "application/x-atelier-image";

/** Attributes of an element that can be dragged into the form as a reference. */
export function draggable(reference: DraftReference) {
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: { readonly dataTransfer: DataTransfer }) =>
      dataTransfer.setData(imageType, JSON.stringify(reference)),
  };
}

/**
 * Takes image files that are dropped anywhere on the page or pasted, and images of jobs that are
 * dropped on the form.
 *
 * @returns whether something that would be taken is being dragged over the page.
 */
export function useDroppedFiles(on: {
  readonly files: (files: readonly File[]) => void;
  readonly image: (reference: DraftReference) => void;
}): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(on);
  latest.current = on;
  useEffect(() => {
    function onDragOver(event: DragEvent): void {
      const types = event.dataTransfer?.types ?? [];
      const isImage = types.includes(imageType);
      if (!isImage && !types.includes("Files")) return;
      // Otherwise the browser opens the file in place of the page.
      event.preventDefault();
      setOver(!hasDialog() && (!isImage || isOnForm(event)));
    }
    function onDragLeave(event: DragEvent): void {
      if (event.relatedTarget === null) setOver(false);
    }
    function onDrop(event: DragEvent): void {
      setOver(false);
      const image = event.dataTransfer?.getData(imageType) ?? "";
      const files = [...(event.dataTransfer?.files ?? [])];
      if (image === "" && files.length === 0) return;
      event.preventDefault();
      if (hasDialog()) return;
      if (image === "") latest.current.files(files);
      else if (isOnForm(event)) latest.current.image(JSON.parse(image) as DraftReference);
    }
    function onPaste(event: ClipboardEvent): void {
      const files = [...(event.clipboardData?.files ?? [])];
      // Office programs copy a picture of the text beside it.
      const isText = event.clipboardData?.types.includes("text/plain") === true;
      if (files.length === 0 || isText || hasDialog()) return;
      event.preventDefault();
      latest.current.files(files);
    }
    addEventListener("dragover", onDragOver);
    addEventListener("dragleave", onDragLeave);
    addEventListener("drop", onDrop);
    addEventListener("paste", onPaste);
    return () => {
      removeEventListener("dragover", onDragOver);
      removeEventListener("dragleave", onDragLeave);
      removeEventListener("drop", onDrop);
      removeEventListener("paste", onPaste);
    };
  }, []);
  return isOver;
}

function isOnForm({ target }: Event): boolean {
  return target instanceof Element && target.closest("form") !== null;
}

function hasDialog(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
