import type { EventType } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { problemsOf } from "../../data/field-problems.ts";
import { texts } from "../../texts/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { Checks } from "../../ui/checks.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import form from "../../ui/form.module.css";
import { Problem } from "../../ui/problem.tsx";

const eventTypes = Object.keys(texts.webhooks.eventTexts) as EventType[];
const fields = ["url", "events", "description"];

/** What the form contains. */
export interface WebhookDraft {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description: string;
}

/** A new webhook: it receives the events that end a job. */
export const newWebhook: WebhookDraft = {
  url: "",
  events: ["job.completed", "job.failed"],
  description: "",
};

/** The body of a request that creates or changes a webhook. */
export function bodyOf({ url, events, description }: WebhookDraft) {
  return { url: url.trim(), events, description: description.trim() || null };
}

/** Creates or changes a webhook. */
export function WebhookForm(props: {
  readonly title: string;
  readonly action: string;
  readonly initial: WebhookDraft;
  readonly onSave: (draft: WebhookDraft) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { title, action, initial, onSave, onClose } = props;
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<WebhookDraft>) => setDraft((before) => ({ ...before, ...part }));
  const saving = useMutation({ mutationFn: onSave });
  const problems = problemsOf(saving.error, fields);
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    saving.mutate(draft);
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={form.form} noValidate onSubmit={submit}>
        <Field
          label={texts.webhooks.url}
          hint={texts.webhooks.urlHint}
          problem={problems.at("url")}
        >
          {(control) => (
            <input
              {...control}
              type="url"
              placeholder="https://"
              value={draft.url}
              onChange={({ target }) => change({ url: target.value })}
            />
          )}
        </Field>
        <Checks
          label={texts.webhooks.events}
          options={eventTypes.map((type) => ({
            value: type,
            name: type,
            hint: texts.webhooks.eventTexts[type],
          }))}
          values={draft.events}
          onChange={(events) => change({ events })}
          problem={problems.at("events")}
        />
        <Field
          label={texts.webhooks.description}
          hint={texts.webhooks.descriptionHint}
          problem={problems.at("description")}
        >
          {(control) => (
            <input
              {...control}
              value={draft.description}
              maxLength={200}
              autoComplete="off"
              onChange={({ target }) => change({ description: target.value })}
            />
          )}
        </Field>
        <Problem error={problems.other} />
        <div className={form.buttons}>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" disabled={saving.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
