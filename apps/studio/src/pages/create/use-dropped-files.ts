import { useEffect, useState } from "react";

/**
 * Takes image files that are dropped anywhere on the page or pasted.
 *
 * @returns whether files are being dragged over the page.
 */
export function useDroppedFiles(onFiles: ((files: readonly File[]) => void) | null): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (onFiles === null) return undefined;
    function take(event: Event, data: DataTransfer | null): void {
      const files = [...(data?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles?.(files);
    }
    function onDragOver(event: DragEvent): void {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      setOver(true);
    }
    function onDragLeave(event: DragEvent): void {
      if (event.relatedTarget === null) setOver(false);
    }
    function onDrop(event: DragEvent): void {
      setOver(false);
      take(event, event.dataTransfer);
    }
    function onPaste(event: ClipboardEvent): void {
      take(event, event.clipboardData);
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
  }, [onFiles]);
  return isOver;
}
