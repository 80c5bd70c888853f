import { useQuery } from "@tanstack/react-query";
import { formatBytes } from "../format.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/pictures.ts";
import styles from "./kept-quota.module.css";
import { keptQuery } from "./use-keeping.ts";

/** How much of its quota the account keeps, as a bar. Shows nothing to keys that may not read it. */
export function KeptQuota() {
  const { scopes } = useSession();
  const { data } = useQuery({ ...keptQuery, enabled: scopes.includes("read") });
  if (data === undefined) return null;
  const { used_bytes: used, quota_bytes: quota } = data;
  const text = texts.pictures.quota(formatBytes(used), formatBytes(quota));
  return (
    <p className={styles.quota}>
      <span className="num">{text}</span>
      <meter min={0} max={Math.max(quota, 1)} value={used} aria-label={text} />
    </p>
  );
}
