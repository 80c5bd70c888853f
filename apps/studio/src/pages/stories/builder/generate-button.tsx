import type { Quote } from "@atelier/schemas";
import { CreditNotice } from "../../../form/credit-notice.tsx";
import type { Failure } from "../../../form/problems.ts";
import { formatEur } from "../../../format.ts";
import { texts } from "../../../texts/stories.ts";
import { Button } from "../../../ui/button.tsx";
import { commandKey } from "../../../ui/input/command-key.ts";
import { Notice } from "../../../ui/notice.tsx";
import { FailureNotice } from "../failure-notice.tsx";
import styles from "./builder.module.css";

/** The button with the price of the story, and above it why the last request was refused. */
export function GenerateButton(props: {
  readonly quote: Quote | undefined;
  readonly isQuoteStale: boolean;
  readonly failure: Failure | null;
  /** Whether it is the failure of this request, not of its price. */
  readonly isFailureOfRequest: boolean;
  readonly problemCount: number;
  readonly isBusy: boolean;
  readonly isUploading: boolean;
  readonly canGenerate: boolean;
  readonly isCastOnly: boolean;
}) {
  const { quote, isQuoteStale, failure, problemCount, isBusy, isUploading, canGenerate } = props;
  const action = props.isCastOnly ? texts.stories.generateCast : texts.stories.generate;
  const lacksCredit = quote?.affordable === false;
  return (
    <div className={styles.generate}>
      {problemCount > 0 && failure !== null && (
        <Notice kind="bad">{texts.stories.problemCount(problemCount)}</Notice>
      )}
      {failure !== null && problemCount === 0 && !lacksCredit && (
        <FailureNotice failure={failure} isOfRequest={props.isFailureOfRequest} />
      )}
      {lacksCredit && <CreditNotice quote={quote} hint={texts.stories.noCreditHint} />}
      <p className={styles.plan}>
        {isUploading
          ? texts.stories.waitsForPicture
          : isQuoteStale
            ? "…"
            : quote !== undefined && texts.stories.imageCount(quote.renders)}
      </p>
      <Button look="primary" isBig type="submit" disabled={!canGenerate}>
        {isBusy ? texts.stories.sending : action}
        <span className={`${styles.price} num`}>
          {isQuoteStale ? "…" : quote !== undefined && formatEur(quote.price_eur)}
          <kbd aria-hidden="true">{commandKey} ↵</kbd>
        </span>
      </Button>
    </div>
  );
}
