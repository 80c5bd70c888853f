import type { Job } from "@atelier/schemas";
import { formatBytes, formatTime } from "../../format.ts";
import { texts } from "../../texts/library.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { fileName } from "./file-name.ts";
import { titleOf, toListed, type NamedImage } from "./images-of-job.ts";
import styles from "./peek.module.css";

/** The files of an image with their hashes; of deleted files, the hash of the PNG. */
export function Files({ job, image }: { readonly job: Job; readonly image: NamedImage }) {
  const files = Object.values(image.formats);
  const title = titleOf(toListed(job));
  return (
    <section className={styles.files}>
      <h3>{texts.library.files}</h3>
      <ul>
        {files.map(({ format, url, hash, size_bytes: bytes }) => (
          <li key={format}>
            <ButtonLink
              href={url}
              download={fileName(title, {
                jobId: job.id,
                position: image.index + 1,
                extension: format,
              })}
            >
              <Icon name="download" size={16} />
              <span className="sr">{texts.library.download}</span>
              {format.toUpperCase()}
              <small className="num">{formatBytes(bytes)}</small>
            </ButtonLink>
            <Hash hash={hash} format={format} />
          </li>
        ))}
        {files.length === 0 && (
          <li>
            <span>PNG</span>
            <Hash hash={image.hash} format="png" />
          </li>
        )}
      </ul>
      {files[0] !== undefined && (
        <p className="num">{texts.library.linksUntil(formatTime(files[0].expires_at))}</p>
      )}
    </section>
  );
}

function Hash({ hash, format }: { readonly hash: string; readonly format: string }) {
  return (
    <span className={styles.hash}>
      <code title={hash}>{hash.slice(0, 16)}…</code>
      <CopyButton text={hash} name={texts.library.copyHash(format.toUpperCase())} />
    </span>
  );
}
