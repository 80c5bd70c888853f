import type { Job } from "@atelier/schemas";
import { useState } from "react";
import { noteJob } from "../../pictures/use-noting.ts";
import { texts } from "../../texts/library.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { takeOver } from "./job-actions.ts";

/** Gives a job a title. An empty one brings back what it was called before. */
export function RenameDialog(props: { readonly job: Job; readonly onClose: () => void }) {
  const { job, onClose } = props;
  const [title, setTitle] = useState(job.title ?? "");
  async function save(): Promise<void> {
    takeOver(await noteJob(job.id, { title: title.trim() === "" ? null : title.trim() }));
    onClose();
  }
  return (
    <FormDialog
      title={texts.library.renameTitle}
      action={texts.common.save}
      fields={["title"]}
      onSave={save}
      onClose={onClose}
    >
      {(problems) => (
        <TextField
          label={texts.library.title}
          hint={texts.library.renameHint}
          maxLength={200}
          problem={problems.at("title")}
          value={title}
          onChange={setTitle}
        />
      )}
    </FormDialog>
  );
}
