import { useState, type DragEvent } from "react";
import { texts } from "../../texts/verify.ts";
import { Icon } from "../../ui/icons.tsx";
import { fileOf } from "./check-file.ts";
import styles from "./verify.module.css";

/** Takes a picture by drop or by choice. The page takes pasted ones. */
export function DropZone({ onFile }: { readonly onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  function onDragOver(event: DragEvent): void {
    event.preventDefault();
    setOver(true);
  }
  function onDrop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const file = fileOf(event.dataTransfer);
    if (file !== null) onFile(file);
  }
  return (
    <label
      className={`${styles.drop} ${isOver ? styles.over : ""}`}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <input
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby="verify-formats"
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file can be chosen again.
          target.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
      <Icon name="image" size={28} />
      <strong>{texts.verify.drop}</strong>
      <span className={styles.choose}>{texts.verify.choose}</span>
      <small id="verify-formats">{texts.verify.formats}</small>
    </label>
  );
}
