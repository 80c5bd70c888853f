import type { Job } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { accountQuery, jobQuery, queryClient } from "../../../data/queries.ts";
import { formatBytes, formatEur, formatSeconds, formatTime } from "../../../format.ts";
import type { ResultImage } from "../../../pictures/images-of.ts";
import { Provenance } from "../../../pictures/provenance.tsx";
import { describeEnd } from "../../../pictures/life.ts";
import { texts } from "../../../texts/pictures.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { TestBadge } from "../../../ui/test-badge.tsx";
import styles from "./facts.module.css";

/** The facts about an image, and its files. */
export function Facts(props: {
  readonly job: Job;
  readonly image: ResultImage;
  readonly modelName: string;
}) {
  const { job, image, modelName } = props;
  const files = Object.values(image.formats);
  useFreshLinks(job.id, files[0]?.expires_at);
  const { data: account } = useQuery(accountQuery);
  const completedAt = job.completed_at ?? job.created_at;
  const keptUntil = describeEnd(job, account?.retention_hours);
  const { width, height } = files[0] ?? {};
  return (
    <div className={styles.facts}>
      <dl>
        <Fact name={texts.create.provenance}>
          <Provenance key={image.hash} image={image} />
        </Fact>
        <Fact name={texts.create.model}>
          {modelName} <TestBadge mode={job.mode} />
        </Fact>
        {width !== undefined && height !== undefined && (
          <Fact name={texts.create.size}>
            <span className="num">{texts.pictures.pixels(width, height)}</span>
          </Fact>
        )}
        {image.seed !== undefined && (
          <Fact name={texts.create.seed}>
            <span className="num">{image.seed}</span>
          </Fact>
        )}
        <Fact name={texts.create.cost}>
          <span className="num">{formatEur(job.cost_eur)}</span>
        </Fact>
        <Fact name={texts.create.time}>
          <span className="num">
            {formatSeconds((Date.parse(completedAt) - Date.parse(job.created_at)) / 1_000)}
          </span>
        </Fact>
        <Fact name={texts.create.sha256}>
          <span className={styles.hash}>
            <code title={image.hash}>{image.hash.slice(0, 12)}…</code>
            <CopyButton text={image.hash} name={texts.create.copySha256} />
          </span>
        </Fact>
        {keptUntil !== null && (
          <Fact name={texts.create.keptUntil}>
            <span className="num">{keptUntil}</span>
          </Fact>
        )}
      </dl>
      <div className={styles.files}>
        {files.map((file) => (
          <ButtonLink
            key={file.format}
            href={file.url}
            // A browser opens files of another origin instead of saving them.
            target="_blank"
            download={`atelier-${job.id.slice(-8)}-${image.index + 1}.${file.format}`}
          >
            <Icon name="download" size={16} />
            <span className="sr">{texts.create.download}</span> {file.format.toUpperCase()}{" "}
            <small className="num">{formatBytes(file.size_bytes)}</small>
          </ButtonLink>
        ))}
        {files[0] !== undefined && (
          <>
            <CopyButton text={files[0].url} name={texts.create.copyUrl} isNamed />
            <p className="num">{texts.create.linksUntil(formatTime(files[0].expires_at))}</p>
          </>
        )}
      </div>
    </div>
  );
}

/** Reads new links a minute before these expire. */
function useFreshLinks(jobId: string, expiresAt: string | undefined): void {
  useEffect(() => {
    if (expiresAt === undefined) return undefined;
    const left = Date.parse(expiresAt) - Date.now() - 60_000;
    const timer = setTimeout(
      () => void queryClient.invalidateQueries(jobQuery(jobId)),
      Math.max(left, 10_000),
    );
    return () => clearTimeout(timer);
  }, [jobId, expiresAt]);
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
