import type { Job, ListedJob } from "@atelier/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isFinal, modelsQuery } from "../../../data/queries.ts";
import { CreditNotice } from "../../../form/credit-notice.tsx";
import { failureOf } from "../../../form/problems.ts";
import { formatEur } from "../../../format.ts";
import { texts } from "../../../texts/book.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import form from "../../../ui/form.module.css";
import { Icon } from "../../../ui/icons.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { addedRequest } from "../board/added-request.ts";
import { contentOf } from "../board/outdated-scenes.ts";
import { useCast, useJobs } from "../cast/use-cast.ts";
import { FailureNotice } from "../failure-notice.tsx";
import { shownImages, type StoryImage } from "../story-cards.ts";
import type { ShownScenes } from "../queries.ts";
import { useTotal } from "../use-total.ts";
import styles from "./book.module.css";
import type { Book } from "./book.ts";
import {
  largerSizes,
  planDrawings,
  planUpscales,
  ppiRange,
  printedPictures,
  type Larger,
  type LargerSize,
} from "./enlarge.ts";
import { mm, ppi } from "./page-layout.ts";
import { useEnlarging } from "./use-enlarging.ts";

/** A story and its book, as the page shows them. */
export interface PrintedStory {
  readonly job: Job;
  readonly book: Book;
  /** All versions of all scenes. */
  readonly scenes: readonly StoryImage[];
  readonly shown: ShownScenes | undefined;
  /** The jobs that added scenes or made images again. */
  readonly again: readonly ListedJob[];
}

/**
 * Shows the size of the pages for print and the sharpness of their pictures, and offers larger pictures at their
 * price. Saves the file as soon as they are made.
 */
export function PrintDialog(
  props: PrintedStory & {
    readonly isSaving: boolean;
    readonly onSave: () => void;
    readonly onClose: () => void;
  },
) {
  const { job, book, scenes, shown, again, isSaving, onSave, onClose } = props;
  const { enlarging, ordered } = useEnlarging(job.id);
  const { pictures, isMeasuring, error: unmeasured } = usePrinted(book, shownImages(scenes, shown));
  const range = ppiRange(pictures);
  const inBook = new Set(pictures.map(({ scene }) => scene));
  const waiting = scenes.filter((one) => inBook.has(one.scene ?? 0) && isWaiting(one));
  const { failed = [] } = enlarging.data ?? {};
  const failure = failureOf(enlarging.error);
  function order(larger: readonly Larger[]): void {
    enlarging.mutate(larger, {
      // Not called after the dialog was closed.
      onSuccess: (result) => {
        if (result.failed.length === 0) onSave();
      },
    });
  }
  const isBusy = enlarging.isPending || waiting.length > 0;
  return (
    <Dialog title={texts.book.savePrint} size="large" onClose={onClose}>
      <div className={form.form}>
        <p className="num">{texts.book.printPages(mm.width, mm.height, mm.bleed)}</p>
        {range !== null && (
          <div>
            <p className={`num ${styles.ppi}`}>
              {texts.book.printPpi(range.lowest, range.highest, pictures.length)}
            </p>
            <p>{texts.book.printVerdicts[verdictOf(range.lowest)](ppi.enough, ppi.best)}</p>
          </div>
        )}
        {isBusy ? (
          <Progress
            total={enlarging.isPending ? ordered : waiting.length}
            waiting={waiting.length}
            isSending={enlarging.isPending && waiting.length === 0}
          />
        ) : (
          !isMeasuring &&
          range !== null &&
          range.lowest < ppi.best && (
            <LargerPictures {...{ job, book, scenes, again, pictures }} onOrder={order} />
          )
        )}
        {failed.length > 0 && (
          <Notice kind="bad">
            <p>{texts.book.staySmall(failed.map(([scene]) => scene))}</p>
            {[...new Set(failed.map(([, id]) => scenes.find(({ jobId }) => jobId === id)?.problem))]
              .filter((problem) => problem !== undefined)
              .map((problem) => (
                <p key={problem}>{problem}</p>
              ))}
          </Notice>
        )}
        <Problem error={unmeasured} />
        {failure !== null && <FailureNotice failure={failure} isOfRequest />}
        <div className={form.buttons}>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button look="primary" disabled={isSaving || isBusy} onClick={onSave}>
            <Icon name="file" size={16} /> {isSaving ? texts.book.saving : texts.book.printNow}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The pictures of a book with their resolutions, which are measured as the pages are laid out. */
function usePrinted(book: Book, images: readonly StoryImage[]) {
  const sizes = images.flatMap(({ scene = 0, formats: { jpeg } }) =>
    jpeg === undefined ? [] : [[scene, { width: jpeg.width, height: jpeg.height }] as const],
  );
  const { data, isPlaceholderData, error } = useQuery({
    queryKey: ["print", book, sizes],
    queryFn: async () => {
      const [{ readFont }, { measurePpi }] = await Promise.all([
        import("./book-content.ts"),
        import("./write-pdf.ts"),
      ]);
      return measurePpi(book, new Map(sizes), await readFont(book.font));
    },
    placeholderData: keepPreviousData,
  });
  return {
    pictures: data === undefined ? [] : printedPictures(images, data),
    /** Whether the resolutions are those of other pictures. */
    isMeasuring: isPlaceholderData,
    error,
  };
}

const isWaiting = ({ status }: StoryImage): boolean =>
  status !== "supplied" && !isFinal({ status });

function verdictOf(lowest: number): "best" | "enough" | "low" {
  if (lowest >= ppi.best) return "best";
  return lowest >= ppi.enough ? "enough" : "low";
}

/** How many of the ordered pictures are made. */
function Progress(props: {
  readonly total: number;
  readonly waiting: number;
  readonly isSending: boolean;
}) {
  const { total, waiting, isSending } = props;
  const done = Math.max(total - waiting, 0);
  return (
    <div className={styles.progress}>
      <progress
        aria-label={texts.book.enlarging}
        {...(isSending ? {} : { max: Math.max(total, 1), value: done })}
      />
      <p role="status" className="num">
        {texts.book.enlarged(done, total)}
      </p>
      <p>{texts.book.enlargingHint}</p>
    </div>
  );
}

/** The ways to larger pictures, each with its price and the resolution afterwards. */
function LargerPictures(
  props: Omit<PrintedStory, "shown"> & {
    readonly pictures: ReturnType<typeof printedPictures>;
    readonly onOrder: (larger: readonly Larger[]) => void;
  },
) {
  const { job, book, scenes, again, pictures, onOrder } = props;
  const { data: models = [] } = useQuery(modelsQuery);
  const upscalers = models.filter(({ operations }) => operations.includes("upscale"));
  const [chosen, setChosen] = useState<string | null>(null);
  const upscaler = upscalers.find(({ id }) => id === chosen) ?? upscalers[0];
  const { cast, areRead: isCastRead } = useCast(job, again, book.cast);
  const drawers = pictures.map(({ image }) => image.drawnBy).filter((id) => id !== job.id);
  const { jobs, areRead } = useJobs([...new Set(drawers)]);
  const byId = new Map([job, ...jobs].map((one) => [one.id, one]));
  const sizes = Object.keys(largerSizes) as LargerSize[];
  const ofStory = models.find(({ id }) => id === job.model)?.image_sizes ?? [];
  const offers = [
    ...sizes.map((size) => ({
      key: `upscale ${size}`,
      name: texts.book.upscale,
      size,
      larger:
        upscaler === undefined ? [] : planUpscales(job.id, upscaler.id, size, pictures, scenes),
    })),
    ...sizes
      .filter((size) => ofStory.includes(size) && areRead && isCastRead)
      .map((size) => ({
        key: `draw ${size}`,
        name: texts.book.drawAgain,
        size,
        larger: planDrawings(size, pictures, scenes, ({ scene = 0, ...image }) =>
          addedRequest(job, scene, contentOf({ scene, ...image }, job, byId), cast.shown),
        ),
      })),
  ].filter(({ larger }) => larger.length > 0);
  if (offers.length === 0) return null;
  return (
    <section className={styles.offers} aria-labelledby="larger-pictures">
      <h3 id="larger-pictures">{texts.book.largerPictures}</h3>
      <p>{texts.book.largerHint}</p>
      {upscalers.length > 1 && (
        <Field label={texts.book.upscaler}>
          {(control) => (
            <select
              {...control}
              value={upscaler?.id}
              onChange={({ target }) => setChosen(target.value)}
            >
              {upscalers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {offers.map(({ key, name, size, larger }) => (
        <Offer
          key={key}
          larger={larger}
          name={(price) => name(larger.length, size, price)}
          ppi={lowestAfter(pictures, larger)}
          onOrder={() => onOrder(larger)}
        />
      ))}
    </section>
  );
}

function lowestAfter(
  pictures: ReturnType<typeof printedPictures>,
  larger: readonly Larger[],
): number {
  const after = pictures.map((one) => larger.find(({ scene }) => scene === one.scene) ?? one);
  return Math.floor(Math.min(...after.map((one) => one.ppi)));
}

function Offer(props: {
  readonly larger: readonly Larger[];
  readonly name: (price: string) => string;
  /** The lowest resolution afterwards. */
  readonly ppi: number;
  readonly onOrder: () => void;
}) {
  const { larger, name, onOrder } = props;
  const orders = larger.filter(({ body }) => body !== null);
  const { quote, error } = useTotal(
    orders.map(({ operation, quoted }) => ({ operation, request: quoted })),
  );
  const price = orders.length === 0 ? "0" : quote?.price_eur;
  const lacksCredit = quote?.affordable === false;
  const failure = failureOf(error);
  return (
    <div className={styles.offer}>
      <Button disabled={price === undefined || lacksCredit} onClick={onOrder}>
        {name(price === undefined ? "…" : formatEur(price))}
      </Button>
      <span className="num">
        {`${texts.book.ppiAfter(props.ppi)}: ${texts.book.ppiVerdicts[verdictOf(props.ppi)]}`}
      </span>
      {lacksCredit && <CreditNotice quote={quote} hint={texts.stories.noCreditForScenesHint} />}
      {failure !== null && !lacksCredit && <FailureNotice failure={failure} isOfRequest={false} />}
    </div>
  );
}
