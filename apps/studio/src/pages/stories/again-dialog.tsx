import type { Job } from "@atelier/schemas";
import { useEffect, useState } from "react";
import { jobQuery, queryClient } from "../../data/queries.ts";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts/stories.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { failureOf, problemsByField } from "../create/problems.ts";
import { againRequest } from "./again-request.ts";
import styles from "./board.module.css";
import { onEnter } from "./on-enter.ts";
import { CreditNotice, FailureNotice } from "./order-notices.tsx";
import { againQuery } from "./queries.ts";
import type { ShownRequest, StoryImage } from "./story-cards.ts";
import { usePrice } from "./use-price.ts";
import { useSubmission } from "./use-submission.ts";

/** Characters of a prompt in lists of jobs. */
const listedLength = 200;

/** Makes one scene of a completed story again. Its earlier images stay. */
export function AgainDialog(props: {
  readonly job: Job;
  /** The image of the scene, or one that was made again. */
  readonly image: StoryImage;
  readonly onClose: () => void;
}) {
  const { job, image, onClose } = props;
  const number = image.scene ?? 1;
  const [prompt, setPrompt] = useState(() => textOf(job, image));
  // The URLs of the portraits are valid for an hour.
  useEffect(() => void queryClient.invalidateQueries(jobQuery(job.id)), [job.id]);
  const body = againRequest(job, number, prompt);
  const {
    quote,
    isQuoteStale,
    error: quoteError,
  } = usePrice("scene", body === null ? null : { ...body, prompt: "scene" });
  const submission = useSubmission("scene", async () => {
    await queryClient.invalidateQueries(againQuery(job.id));
    onClose();
  });
  const lacksCredit = quote?.affordable === false;
  const failure = failureOf(submission.error) ?? failureOf(quoteError);
  const canGenerate = body !== null && prompt.trim() !== "" && !submission.isPending;
  function generate(): void {
    if (canGenerate) submission.mutate(body);
  }
  const isUnchanged = submission.variables?.["prompt"] === body?.["prompt"];
  const problem = isUnchanged ? problemsByField(failure).get("prompt") : undefined;
  return (
    <Dialog title={texts.stories.againTitle(number)} size="large" onClose={onClose}>
      {/* Ctrl or Cmd and Enter generate from its field. */}
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
        <Field label={texts.stories.happens} hint={texts.stories.againHint} problem={problem}>
          {(control) => (
            <textarea
              {...control}
              rows={4}
              value={prompt}
              maxLength={32_000}
              onChange={({ target }) => setPrompt(target.value)}
            />
          )}
        </Field>
        {body === null && <Notice kind="bad">{texts.stories.referencesGone}</Notice>}
        {failure !== null && problem === undefined && !lacksCredit && (
          <FailureNotice failure={failure} />
        )}
        {lacksCredit && <CreditNotice quote={quote} hint={texts.stories.noCreditForSceneHint} />}
        <Button look="primary" isBig type="submit" disabled={!canGenerate}>
          {submission.isPending ? texts.stories.sending : texts.stories.makeAgain}
          <span className="num">
            {isQuoteStale ? "…" : quote !== undefined && formatEur(quote.price_eur)}
          </span>
        </Button>
      </form>
    </Dialog>
  );
}

/** Returns the text of an image. Lists cut a long text: then it is the one of the story's request. */
function textOf(job: Job, { scene = 1, version, text }: StoryImage): string {
  const request: ShownRequest = job.request;
  const isCut = version > 1 && text.length >= listedLength;
  return isCut ? (request.scenes?.[scene - 1]?.prompt ?? text) : text;
}
