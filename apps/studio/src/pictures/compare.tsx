import type { ImageSource } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState, type CSSProperties, type SyntheticEvent } from "react";
import { jobQuery } from "../data/queries.ts";
import { formatPercent } from "../format.ts";
import { useSource, type SourcePicture } from "../pages/create/references/use-source.ts";
import { texts } from "../texts/pictures.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { Picture } from "../ui/picture.tsx";
import { Segments } from "../ui/segments.tsx";
import styles from "./compare.module.css";

const views = ["slider", "sideBySide"] as const;
type View = (typeof views)[number];

/** An image of a job. */
export interface ComparedImage {
  readonly jobId: string;
  readonly index: number;
  readonly title: string;
}

/** Two pictures: one over the other with a slider between them, or side by side. */
export default function Compare(props: {
  readonly image: ComparedImage;
  /** Null for the image that `image` was made of. */
  readonly with: ComparedImage | null;
  readonly onClose: () => void;
}) {
  const { image, with: other, onClose } = props;
  const [view, setView] = useState<View>("slider");
  const { data: job, isSuccess } = useQuery(jobQuery(image.jobId));
  const original = job?.request["image"] as ImageSource | undefined;
  const after = useSource({ job_id: image.jobId, image: image.index });
  const before = useSource(
    other === null ? (original ?? {}) : { job_id: other.jobId, image: other.index },
  );
  // An image at another address was never stored.
  const isForeign = isSuccess && other === null && before.url === undefined && isAddress(original);
  const {
    names,
    missing,
    foreign,
    title,
    view: viewName,
    views: viewNames,
  } = texts.pictures.compare;
  const [first, second] = other === null ? [names.before, names.after] : [other.title, image.title];
  return (
    <Dialog title={title} onClose={onClose} size="full">
      <div className={styles.compare}>
        <Segments label={viewName} options={views} value={view} onChange={setView}>
          {(one) => viewNames[one]}
        </Segments>
        {isForeign || before.isMissing || after.isMissing ? (
          <Notice kind="bad">{isForeign ? foreign : missing}</Notice>
        ) : (
          before.url !== undefined &&
          after.url !== undefined &&
          (view === "slider" ? (
            <Slider {...{ before, after, first, second }} />
          ) : (
            <div className={styles.pair}>
              <Labelled picture={before} label={first} />
              <Labelled picture={after} label={second} />
            </div>
          ))
        )}
      </div>
    </Dialog>
  );
}

function isAddress(source: ImageSource | undefined): boolean {
  return source?.upload_id === undefined && source?.job_id === undefined;
}

function Slider(props: {
  readonly before: SourcePicture;
  readonly after: SourcePicture;
  readonly first: string;
  readonly second: string;
}) {
  const { before, after, first, second } = props;
  const [part, setPart] = useState(50);
  const { ratio, measure } = useRatio();
  const { slider, sliderValue } = texts.pictures.compare;
  return (
    <div className={styles.stage}>
      <div
        className={styles.frame}
        style={{ "--part": `${part}%`, "--ratio": ratio } as CSSProperties}
      >
        <Picture
          className={styles.before}
          src={before.url ?? ""}
          alt={first}
          onExpired={before.refresh}
        />
        <Picture
          className={styles.after}
          src={after.url ?? ""}
          alt={second}
          onExpired={after.refresh}
          onLoad={measure}
        />
        <span className={styles.line} aria-hidden="true" />
        <span className={styles.first} aria-hidden="true">
          {first}
        </span>
        <span className={styles.second} aria-hidden="true">
          {second}
        </span>
        <input
          type="range"
          min="0"
          max="100"
          value={part}
          aria-label={slider}
          aria-valuetext={sliderValue(formatPercent(part / 100), first)}
          onChange={({ target }) => setPart(Number(target.value))}
        />
      </div>
    </div>
  );
}

function Labelled({ picture, label }: { readonly picture: SourcePicture; readonly label: string }) {
  const { ratio, measure } = useRatio();
  return (
    <figure>
      <div className={styles.stage}>
        <div className={styles.frame} style={{ "--ratio": ratio } as CSSProperties}>
          <Picture
            src={picture.url ?? ""}
            alt={label}
            onExpired={picture.refresh}
            onLoad={measure}
          />
        </div>
      </div>
      <figcaption>{label}</figcaption>
    </figure>
  );
}

/** Width by height of an image, 1 until it is loaded. */
function useRatio() {
  const [ratio, setRatio] = useState(1);
  function measure({ currentTarget }: SyntheticEvent<HTMLImageElement>): void {
    setRatio(currentTarget.naturalWidth / currentTarget.naturalHeight);
  }
  return { ratio, measure };
}
