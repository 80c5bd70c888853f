import { useState } from "react";
import { ApiError } from "../api.ts";
import { saveStyle } from "../pages/create/presets-query.ts";
import { texts } from "../texts/styles.ts";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { Field } from "../ui/field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { showToast } from "../ui/toast.tsx";
import type { ResultImage } from "./images-of.ts";
import { makeSmallPicture } from "./small-picture.ts";
import styles from "./style-save-dialog.module.css";

/** Saves words as a style of the account, with a small copy of a picture. */
export default function StyleSaveDialog(props: {
  readonly jobId: string;
  readonly image: ResultImage;
  /** The words to begin with. */
  readonly words: string;
  readonly onClose: () => void;
}) {
  const { jobId, image, onClose } = props;
  const [name, setName] = useState("");
  const [words, setWords] = useState(props.words);
  async function save(): Promise<void> {
    const picture = await makeSmallPicture(jobId, image.index).catch(() => null);
    if (picture === null) {
      throw new ApiError(texts.styles.pictureUnread, { status: 0, code: "picture_unread" });
    }
    await saveStyle(name.trim(), words.trim(), picture);
    showToast(texts.styles.saved(name.trim()));
    onClose();
  }
  return (
    <FormDialog
      title={texts.styles.titleOfNew}
      action={texts.styles.save}
      fields={["name", "request"]}
      onSave={save}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <img
            className={styles.picture}
            src={image.thumbnailUrl ?? image.url}
            alt={texts.styles.picture}
          />
          <TextField
            label={texts.styles.name}
            hint={texts.styles.saveHint}
            maxLength={100}
            problem={problems.at("name")}
            value={name}
            onChange={setName}
          />
          <Field label={texts.styles.words} problem={problems.at("request")}>
            {(control) => (
              <textarea
                dir="auto"
                {...control}
                rows={3}
                maxLength={4_000}
                value={words}
                onChange={({ target }) => setWords(target.value)}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
