import type { Job } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { accountQuery, modelNamesQuery } from "../../data/queries.ts";
import { formatEur } from "../../format.ts";
import { describeEnd } from "../../pictures/life.ts";
import { Provenance } from "../../pictures/provenance.tsx";
import { texts } from "../../texts/library.ts";
import { texts as pictureTexts } from "../../texts/pictures.ts";
import { TestBadge } from "../../ui/test-badge.tsx";
import { isKept, titleOf, toListed, type NamedImage } from "./images-of-job.ts";
import styles from "./peek.module.css";

/** The request, its cost, and the retention of its images. */
export function Facts(props: { readonly job: Job; readonly image: NamedImage | undefined }) {
  const { job, image } = props;
  const { data: account } = useQuery(accountQuery);
  const { data: modelNames } = useQuery(modelNamesQuery);
  const { aspect_ratio: ratio, image_size: size } = job.request;
  const shape = [ratio, size].filter((part) => typeof part === "string").join(", ");
  const listed = toListed(job);
  const seed = image?.seed ?? job.seed;
  const keptUntil = describeEnd(job, account?.retention_hours);
  const { width, height } = Object.values(image?.formats ?? {})[0] ?? {};
  return (
    <>
      <div className={styles.names}>
        <p className={styles.prompt} dir="auto">
          {titleOf(listed)} <TestBadge mode={job.mode} />
        </p>
        {job.title !== null && listed.prompt !== null && <p dir="auto">{listed.prompt}</p>}
      </div>
      <dl className={styles.facts}>
        <Fact name={texts.library.status}>{texts.library.states[job.status]}</Fact>
        <Fact name={texts.library.model}>{modelNames?.get(job.model) ?? job.model}</Fact>
        {shape !== "" && <Fact name={texts.library.shape}>{shape}</Fact>}
        {width !== undefined && height !== undefined && (
          <Fact name={texts.library.pixels}>
            <span className="num">{pictureTexts.pictures.pixels(width, height)}</span>
          </Fact>
        )}
        {seed !== null && (
          <Fact name={texts.library.seed}>
            <span className="num">{seed}</span>
          </Fact>
        )}
        <Fact name={texts.library.cost}>
          <span className="num">{formatEur(job.cost_eur)}</span>
        </Fact>
        {job.key !== null && <Fact name={texts.library.key}>{job.key.name}</Fact>}
        {isKept(image) && keptUntil !== null && (
          <Fact name={texts.library.keptUntil}>
            <span className="num">{keptUntil}</span>
          </Fact>
        )}
        {Object.entries(job.metadata).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      {image !== undefined && (
        <div className={styles.provenance}>
          <h3>{texts.library.provenance}</h3>
          <Provenance key={image.hash} image={image} />
          <Link href={`/verify?sha256=${image.hash}`}>{texts.library.toVerify}</Link>
        </div>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt dir="auto">{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
