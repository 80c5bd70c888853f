import { useSyncExternalStore } from "react";
import { useLostSince } from "../data/connection.ts";
import { queryClient } from "../data/queries.ts";
import { formatExactTime } from "../format.ts";
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

/** Says that the browser has no connection or that the service cannot be reached, while that is so. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const lostSince = useLostSince();
  if (isOnline && lostSince === null) return null;
  return (
    <div className={styles.offline}>
      <Notice kind="neutral">
        {isOnline && lostSince !== null ? <Lost since={lostSince} /> : texts.shell.offline}
      </Notice>
    </div>
  );
}

const reads = queryClient.getQueryCache();
const onRead = (listener: () => void) => reads.subscribe(listener);
const isMissingData = () =>
  reads.findAll({ type: "active" }).some(({ state }) => state.data === undefined);

/** Says of which time the page is, if it has read everything that it shows. */
function Lost({ since }: { readonly since: number }) {
  return useSyncExternalStore(onRead, isMissingData)
    ? texts.shell.connectionLostEarly
    : texts.shell.connectionLost(formatExactTime(new Date(since).toISOString()));
}
