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
import { againQuery } from "./queries.ts";
import type { ShownRequest } from "./story-cards.ts";
import { usePrice } from "./use-price.ts";
import { useSubmission } from "./use-submission.ts";

/** Makes one scene of a completed story again. The story keeps its own image. */
export function AgainDialog(props: {
  readonly job: Job;
  /** Position of the scene, from 1. */
  readonly number: number;
  readonly onClose: () => void;
}) {
  const { job, number, onClose } = props;
  const request: ShownRequest = job.request;
  const [prompt, setPrompt] = useState(request.scenes?.[number - 1]?.prompt ?? "");
  // The URLs of the portraits are valid for an hour.
  useEffect(() => void queryClient.invalidateQueries(jobQuery(job.id)), [job.id]);
  const body = againRequest(job, number, prompt);
  const { quote, error: quoteError } = usePrice(
    "scene",
    body === null ? null : { ...body, prompt: "scene" },
  );
  const submission = useSubmission("scene", async () => {
    await queryClient.invalidateQueries(againQuery(job.id));
    onClose();
  });
  const failure = failureOf(submission.error) ?? failureOf(quoteError);
  const isUnchanged = submission.variables?.["prompt"] === body?.["prompt"];
  const problem = isUnchanged ? problemsByField(failure).get("prompt") : undefined;
  return (
    <Dialog title={texts.stories.againTitle(number)} size="large" onClose={onClose}>
      <form
        className={styles.again}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (body !== null && prompt.trim() !== "") submission.mutate(body);
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
        {failure !== null && problem === undefined && <Notice kind="bad">{failure.message}</Notice>}
        <Button
          look="primary"
          isBig
          type="submit"
          disabled={body === null || prompt.trim() === "" || submission.isPending}
        >
          {texts.stories.makeAgain}
          <span className="num">{quote !== undefined && formatEur(quote.price_eur)}</span>
        </Button>
      </form>
    </Dialog>
  );
}
