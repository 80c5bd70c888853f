import { Link } from "wouter";
import styles from "../console.module.css";

/** The end of the id of a job, which leads to its page; nothing for null. */
export function JobLink({ id }: { readonly id: string | null }) {
  if (id === null) return null;
  return (
    <Link href={`/jobs/${id}`} className={`${styles.id} ${styles.line}`} title={id}>
      …{id.slice(-12)}
    </Link>
  );
}
