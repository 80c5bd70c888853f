import type { GenerationResponse, Job, Model } from "@atelier/schemas";
import { useState } from "react";
import { jobQuery, queryClient } from "../../../data/queries.ts";
import { imagesOf, type ResultImage } from "../../../pictures/images-of.ts";
import { Warnings } from "../../../pictures/warnings.tsx";
import { texts } from "../../../texts.ts";
import { texts as compareTexts } from "../../../texts/pictures.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Picture } from "../../../ui/picture.tsx";
import { referenceOf, type DraftChange, type DraftReference } from "../draft.ts";
import { useSource } from "../references/use-source.ts";
import { draggable } from "../references/use-dropped-files.ts";
import { Actions, AgainButton } from "./actions.tsx";
import { Facts } from "./facts.tsx";
import { History } from "./history.tsx";
import { sourceOf } from "./read-history.ts";
import styles from "./stage.module.css";
import { useArrows } from "./use-arrows.ts";
import { Zoom } from "./zoom.tsx";

/** The images of a completed job, with what is known of them and what can be done with them. */
export default function Result(props: {
  readonly job: Job;
  readonly result: GenerationResponse;
  readonly models: readonly Model[];
  /** Which of the images is shown, from 0. */
  readonly index: number;
  readonly onIndex: (index: number) => void;
  /** Shows the next older or newer job. */
  readonly onJob: (by: 1 | -1) => void;
  readonly onChange: DraftChange;
  readonly onRefer: (reference: DraftReference) => void;
}) {
  const { job, result, models, onIndex, onJob, onChange, onRefer } = props;
  const images = imagesOf(result);
  const index = Math.min(Math.max(props.index, 0), images.length - 1);
  const image = images[index];
  const url = image?.url;
  const before = useBefore(job);
  const [isZoomed, setZoomed] = useState(false);
  useArrows(
    (by) => (images[index + by] === undefined ? onJob(by) : onIndex(index + by)),
    () => setZoomed(url !== undefined),
  );
  if (image === undefined || url === undefined) {
    return (
      <div className={styles.board}>
        <EmptyState icon="image" title={texts.create.expired} hint={texts.create.expiredHint}>
          <code className={styles.expired}>{image?.hash}</code>
          <AgainButton job={job} seed={image?.seed} models={models} onChange={onChange} />
        </EmptyState>
      </div>
    );
  }
  const prompt = job.request["prompt"] ?? job.source?.prompt;
  const modelName = models.find(({ id }) => id === job.model)?.name ?? job.model;
  const reference = referenceOf(job, image);
  const alt = typeof prompt === "string" ? prompt.slice(0, 200) : job.model;
  const onExpired = () => void queryClient.invalidateQueries(jobQuery(job.id));
  return (
    <>
      <div className={`${styles.board} ${before === null ? "" : styles.pair}`}>
        {before !== null && (
          <figure>
            <span className={`${styles.canvas} ${styles.filled}`}>
              <SizedPicture
                src={before.url}
                alt={compareTexts.pictures.compare.names.before}
                onExpired={before.refresh}
              />
            </span>
            <figcaption>{compareTexts.pictures.compare.names.before}</figcaption>
          </figure>
        )}
        <figure>
          <button
            type="button"
            className={`${styles.canvas} ${styles.filled}`}
            onClick={() => setZoomed(true)}
            {...draggable(reference)}
            aria-label={texts.create.zoomImage(alt)}
          >
            <SizedPicture key={image.hash} src={url} onExpired={onExpired} />
          </button>
          {before !== null && <figcaption>{compareTexts.pictures.compare.names.after}</figcaption>}
        </figure>
      </div>
      <History job={job} image={image.index} />
      {images.length > 1 && <Variants images={images} index={index} onIndex={onIndex} />}
      <Actions {...{ job, image, models, onChange, onRefer }} onZoom={() => setZoomed(true)} />
      <Warnings result={result} />
      <Facts job={job} image={image} modelName={modelName} />
      {isZoomed && <Zoom {...{ url, alt, onExpired }} onClose={() => setZoomed(false)} />}
    </>
  );
}

/** The image that a job changed; null for other jobs, until it is known, and after it was deleted. */
function useBefore(job: Job) {
  const original = sourceOf(job);
  const { url, refresh } = useSource(original ?? {});
  return original === undefined || url === undefined ? null : { url, refresh };
}

/** Gives the frame the shape of the image: that of an edit is known only from the image. */
function SizedPicture({
  src,
  alt = "",
  onExpired,
}: {
  readonly src: string;
  readonly alt?: string;
  readonly onExpired: () => void;
}) {
  return (
    <Picture
      src={src}
      alt={alt}
      onExpired={onExpired}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight, parentElement } }) =>
        parentElement?.style.setProperty("--ratio", String(naturalWidth / naturalHeight))
      }
    />
  );
}

function Variants(props: {
  readonly images: readonly ResultImage[];
  readonly index: number;
  readonly onIndex: (index: number) => void;
}) {
  const { images, index, onIndex } = props;
  return (
    <div className={styles.variants} role="group" aria-label={texts.create.count}>
      {images.map(({ hash, thumbnailUrl, url }, at) => (
        <button
          key={hash}
          type="button"
          aria-label={texts.create.imageOf(at + 1, images.length)}
          aria-pressed={at === index}
          onClick={() => onIndex(at)}
        >
          <img src={thumbnailUrl ?? url} alt="" />
        </button>
      ))}
    </div>
  );
}
