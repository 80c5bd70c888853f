import { useEffect, useState } from "react";
import { texts } from "../../texts/verify.ts";
import styles from "./verify.module.css";

/** The picture as this browser has it; nothing when the browser cannot show it. */
export function Preview({ file }: { readonly file: File }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  if (url === null) return null;
  return (
    <img
      className={styles.preview}
      src={url}
      alt={texts.verify.photo}
      onError={() => setUrl(null)}
    />
  );
}
