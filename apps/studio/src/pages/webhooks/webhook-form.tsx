import type { EventType } from "@atelier/schemas";
import { useState } from "react";
import { texts } from "../../texts/webhooks.ts";
import { Checks } from "../../ui/checks.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";

const eventTypes = Object.keys(texts.webhooks.eventTexts) as EventType[];
const fields = ["url", "events", "description"];

/** The values of the form. */
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

/** Explains the problem of an address, with the setting by which the operator can allow it. */
function explainUrl(problem: string | undefined, text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (problem === undefined || url === null || url.username !== "") return problem;
  if (!/^https?:$/.test(url.protocol)) return problem;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return `${problem} ${texts.webhooks.privateHost(`${url.hostname}:${port}`)}`;
}

/** Creates or changes a webhook. */
export function WebhookForm(props: {
  readonly title: string;
  readonly action: string;
  readonly initial: WebhookDraft;
  readonly onSave: (draft: WebhookDraft) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { initial, onSave, ...dialog } = props;
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<WebhookDraft>) => setDraft((before) => ({ ...before, ...part }));
  return (
    <FormDialog {...dialog} fields={fields} onSave={() => onSave(draft)}>
      {(problems) => (
        <>
          <TextField
            label={texts.webhooks.url}
            hint={texts.webhooks.urlHint}
            problem={explainUrl(problems.at("url"), draft.url)}
            type="url"
            placeholder="https://"
            value={draft.url}
            onChange={(url) => change({ url })}
          />
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
          <TextField
            label={texts.webhooks.description}
            hint={texts.webhooks.descriptionHint}
            problem={problems.at("description")}
            maxLength={200}
            value={draft.description}
            onChange={(description) => change({ description })}
          />
        </>
      )}
    </FormDialog>
  );
}
