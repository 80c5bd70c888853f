import type { Job } from "@atelier/schemas";
import { texts } from "../../texts/library.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import styles from "./peek.module.css";

/** The request as the service understood it, and the id of its job. */
export function Asked({ job }: { readonly job: Job }) {
  const text = JSON.stringify(job.request, null, 2);
  return (
    <details className={styles.asked}>
      <summary>{texts.library.request}</summary>
      <p className={styles.hash}>
        <code>{job.id}</code>
        <CopyButton text={job.id} name={texts.library.copyId} />
      </p>
      {/* It scrolls, so that the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={texts.library.request}>
        {text}
      </pre>
      <CopyButton text={text} name={texts.library.copyRequest} isNamed />
    </details>
  );
}
