import type { Job } from "@atelier/schemas";
import type { CreatedShare } from "@atelier/schemas/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountQuery, jobQuery, queryClient } from "../data/queries.ts";
import { createShare } from "../data/shares.ts";
import { formatTime } from "../format.ts";
import { texts } from "../texts/share.ts";
import { Checks } from "../ui/checks.tsx";
import { Choices } from "../ui/choices.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { KeptQuota } from "./kept-quota.tsx";
import { endOfLife } from "./life.ts";
import { isKeptForever, keptQuery } from "./use-keeping.ts";

const dayMs = 86_400_000;

/** The days that are offered; the service takes 1 to 30. */
const offeredDays = ["1", "7", "14", "30"];

/** Creates a link to images of a job, says before how long it works, and shows it once. */
export default function ShareDialog(props: {
  readonly job: Pick<Job, "completed_at" | "id" | "keep" | "operation">;
  /** Position of the image in the result, from 0; null for all images. */
  readonly image: number | null;
  readonly onClose: () => void;
}) {
  const { job, image, onClose } = props;
  const { data: account } = useQuery(accountQuery);
  const [days, setDays] = useState("7");
  const [isKeeping, setKeeping] = useState(true);
  const [created, setCreated] = useState<CreatedShare | null>(null);
  const [openedAt] = useState(Date.now);
  const isKept = isKeptForever(job);
  const { title, titleDone, action, copy, lead, keep, keepHint, kept, images } = texts.share;

  /** When the link will end, for readers. */
  function describeEnd(): string {
    const end = openedAt + Number(days) * dayMs;
    const imagesEnd = isKeeping ? null : endOfLife(job, account?.retention_hours);
    return imagesEnd !== null && Date.parse(imagesEnd) < end
      ? texts.share.endsWithImages(formatTime(imagesEnd))
      : texts.share.ends(formatTime(new Date(end).toISOString()));
  }

  async function save(): Promise<void> {
    const share = await createShare({
      job_id: job.id,
      days: Number(days),
      ...(image !== null && { image }),
      ...(!isKept && isKeeping && { keep: true }),
    });
    if (!isKept && share.kept) {
      void queryClient.invalidateQueries(keptQuery);
      void queryClient.invalidateQueries(jobQuery(job.id));
    }
    setCreated(share);
  }

  if (created !== null) {
    return (
      <SecretDialog
        title={titleDone}
        secret={created.url}
        copyName={copy}
        advice={texts.share.once}
        done={texts.common.close}
        onClose={onClose}
      >
        <p>{texts.share.ends(formatTime(created.expires_at))}</p>
      </SecretDialog>
    );
  }
  return (
    <FormDialog title={title} action={action} onSave={save} onClose={onClose}>
      {() => (
        <>
          <p>{lead}</p>
          {job.operation === "story" && image === null && <p>{texts.share.ofStory}</p>}
          <Choices
            label={texts.share.days}
            options={offeredDays}
            value={days}
            onChange={setDays}
            columns={2}
          >
            {(option) => texts.share.dayCount(Number(option))}
          </Choices>
          {isKept ? (
            <p>{kept}</p>
          ) : (
            <>
              <Checks
                label={images}
                options={[{ value: "keep", name: keep, hint: keepHint }]}
                values={isKeeping ? ["keep"] : []}
                onChange={(values) => setKeeping(values.length > 0)}
              />
              {isKeeping && <KeptQuota />}
            </>
          )}
          <p role="status">{describeEnd()}</p>
        </>
      )}
    </FormDialog>
  );
}
