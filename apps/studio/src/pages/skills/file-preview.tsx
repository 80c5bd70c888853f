import { texts } from "../../texts/skills.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { ShownFile } from "./read-skill-file.ts";
import styles from "./skills.module.css";

/** The texts of a file, the first one open. */
export function FilePreview({ file }: { readonly file: ShownFile }) {
  return (
    <div className={styles.parts}>
      {file.parts.map(({ name, text }, index) => (
        <details key={name} className={styles.part} open={index === 0}>
          <summary>{name}</summary>
          <div className={styles.copy}>
            <CopyButton text={text} name={texts.skills.copyFile(name)} />
          </div>
          {/* A region that scrolls must take the focus, so that the arrow keys scroll it. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre tabIndex={0} role="region" aria-label={name}>
            {text}
          </pre>
        </details>
      ))}
    </div>
  );
}
