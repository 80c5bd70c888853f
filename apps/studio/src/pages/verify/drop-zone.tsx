import { texts } from "../../texts/verify.ts";
import { Icon } from "../../ui/icons.tsx";
import styles from "./verify.module.css";

/** Takes a picture by choice, and shows that pictures can be dropped. The page takes those. */
export function DropZone(props: {
  /** Whether a file is held over the page. */
  readonly isOver: boolean;
  readonly onFile: (file: File) => void;
}) {
  const { isOver, onFile } = props;
  return (
    <label className={`${styles.drop} ${isOver ? styles.over : ""}`}>
      <input
        type="file"
        accept="image/png,image/jpeg,image/webp,image/avif,image/gif,image/svg+xml"
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
