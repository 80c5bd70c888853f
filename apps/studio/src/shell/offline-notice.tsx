import { useSyncExternalStore } from "react";
import { texts } from "../texts.ts";
import { Notice } from "../ui/notice.tsx";
import styles from "./shell.module.css";

function subscribe(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

/** Says that the browser has no connection, while it has none. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <div className={styles.offline}>
      <Notice kind="neutral">{texts.shell.offline}</Notice>
    </div>
  );
}
