import type { Job } from "@atelier/schemas";
import type { ReactNode } from "react";
import { queryClient } from "../../data/queries.ts";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts/stories.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { failureOf, problemsByField } from "../create/problems.ts";
import styles from "./board.module.css";
import { onEnter } from "./on-enter.ts";
import { CreditNotice, FailureNotice } from "./order-notices.tsx";
import { againQuery } from "./queries.ts";
import type { StoryBody } from "./story-request.ts";
import { usePrice } from "./use-price.ts";
import { useSubmission } from "./use-submission.ts";

/** The dialog that orders one scene of a completed story: its text, further fields, problems and the price. */
export function SceneForm(props: {
  readonly job: Job;
  readonly title: string;
  readonly hint: string;
  /** Name of the button that orders the scene. */
  readonly action: string;
  readonly rows: number;
  readonly placeholder?: string;
  readonly prompt: string;
  readonly onPrompt: (prompt: string) => void;
  /** The request of the scene; null if it cannot be made. */
  readonly body: StoryBody | null;
  /** Adds what is known only when a new request is sent. */
  readonly complete?: ((body: StoryBody) => Promise<StoryBody>) | undefined;
  readonly onClose: () => void;
  /** Fields and notices below the text. */
  readonly children: ReactNode;
}) {
  const { job, title, hint, action, rows, placeholder, prompt, body, children } = props;
  const { onPrompt, complete, onClose } = props;
  const {
    quote,
    isQuoteStale,
    error: quoteError,
  } = usePrice("scene", body === null ? null : { ...body, prompt: "scene" });
  const submission = useSubmission(
    "scene",
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
  const isUnchanged = submission.variables?.["prompt"] === body?.["prompt"];
  const problem = isUnchanged ? problemsByField(failure).get("prompt") : undefined;
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
        <Field label={texts.stories.happens} hint={hint} problem={problem}>
          {(control) => (
            <textarea
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
          <FailureNotice failure={failure} />
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
