import type { Job } from "@atelier/schemas";
import type { ReactNode } from "react";
import { queryClient } from "../../../data/queries.ts";
import { CreditNotice } from "../../../form/credit-notice.tsx";
import { failureOf, problemsByField } from "../../../form/problems.ts";
import { formatEur } from "../../../format.ts";
import { texts } from "../../../texts/stories.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { onEnter } from "../on-enter.ts";
import { FailureNotice } from "../failure-notice.tsx";
import { againQuery } from "../queries.ts";
import type { StoryBody } from "../story-request.ts";
import { usePrice } from "../use-price.ts";
import { useSubmission } from "../use-submission.ts";
import styles from "./board.module.css";

/**
 * The dialog that orders one image for a completed story, a scene or a member of its cast: its text, further
 * fields, problems and the price.
 */
export function SceneForm(props: {
  readonly job: Job;
  readonly operation: "scene" | "story";
  readonly title: string;
  /** Name of the field with the text. */
  readonly label: string;
  readonly hint: string;
  /** Name of the button that orders the image. */
  readonly action: string;
  readonly rows: number;
  readonly placeholder?: string;
  readonly prompt: string;
  readonly onPrompt: (prompt: string) => void;
  /** The request of the image; null if it cannot be made. */
  readonly body: StoryBody | null;
  /** The same request with any text, for its price. */
  readonly quoted: StoryBody | null;
  /** Where the service reports problems of the text. */
  readonly path: string;
  /** Adds what is known only when a new request is sent. */
  readonly complete?: ((body: StoryBody) => Promise<StoryBody>) | undefined;
  readonly onClose: () => void;
  /** Fields and notices below the text. */
  readonly children?: ReactNode;
}) {
  const { job, operation, title, label, hint, action, rows, placeholder, prompt, children } = props;
  const { body, quoted, path, onPrompt, complete, onClose } = props;
  const { quote, isQuoteStale, error: quoteError } = usePrice(operation, quoted);
  const submission = useSubmission(
    operation,
    body,
    async () => {
      await queryClient.invalidateQueries(againQuery(job.id));
      onClose();
    },
    complete,
  );
  const lacksCredit = quote?.affordable === false;
  const failure = failureOf(submission.error) ?? failureOf(quoteError);
  const canGenerate = body !== null && prompt.trim() !== "" && !submission.isPending;
  function generate(): void {
    if (canGenerate) submission.mutate(body);
  }
  const problem = submission.isUnchanged ? problemsByField(failure).get(path) : undefined;
  return (
    <Dialog title={title} size="large" onClose={onClose}>
      {/* Ctrl or Cmd and Enter generate from its fields. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        className={styles.again}
        noValidate
        onKeyDown={(event) => onEnter(event, generate)}
        onSubmit={(event) => {
          event.preventDefault();
          generate();
        }}
      >
        <Field label={label} hint={hint} problem={problem}>
          {(control) => (
            <textarea
              dir="auto"
              {...control}
              rows={rows}
              value={prompt}
              maxLength={32_000}
              placeholder={placeholder}
              onChange={({ target }) => onPrompt(target.value)}
            />
          )}
        </Field>
        {children}
        {failure !== null && problem === undefined && !lacksCredit && (
          <FailureNotice
            failure={failure}
            isOfRequest={submission.error !== null && submission.isUnchanged}
          />
        )}
        {lacksCredit && <CreditNotice quote={quote} hint={texts.stories.noCreditForSceneHint} />}
        <Button look="primary" isBig type="submit" disabled={!canGenerate}>
          {submission.isPending ? texts.stories.sending : action}
          <span className="num">
            {isQuoteStale ? "…" : quote !== undefined && formatEur(quote.price_eur)}
          </span>
        </Button>
      </form>
    </Dialog>
  );
}
