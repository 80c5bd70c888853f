import { useRef } from "react";
import { problemAt } from "../../../form/problems.ts";
import type { PictureUse } from "../../../pictures/picture-menu.tsx";
import { texts } from "../../../texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { changeOf } from "../draft.ts";
import type { FormProps } from "../form-props.ts";
import { Reference } from "./reference.tsx";
import styles from "./references.module.css";
import type { ReferenceInput } from "./use-references.ts";
import { acceptedTypes } from "./use-uploads.ts";

/** Reference images: by file, drop and paste, or from a result. */
export function References({
  draft,
  model,
  problems,
  input: { upload, refer, pending, problem, isOver },
  onChange,
}: FormProps & { readonly input: ReferenceInput }) {
  const input = useRef<HTMLInputElement>(null);
  const { references } = draft;
  const use: PictureUse = {
    refer,
    change: (operation, image) => onChange((before) => changeOf(before, operation, image)),
  };
  const isFull = references.length + pending >= model.max_reference_images;
  const shown = problem ?? problemAt(problems, "reference_images");
  return (
    <fieldset className={styles.references}>
      <legend>
        {texts.create.references}
        <small>{texts.create.referencesOf(references.length, model.max_reference_images)}</small>
      </legend>
      {references.length > 0 && (
        <ul>
          {references.map((reference, index) => (
            <Reference
              key={JSON.stringify(reference.source)}
              reference={reference}
              number={index + 1}
              problem={problemAt(problems, `reference_images.${index}`)}
              onChange={(description) =>
                onChange((before) => ({
                  references: before.references.map((one, at) =>
                    at === index ? { ...one, description } : one,
                  ),
                }))
              }
              use={use}
              onRemove={() =>
                onChange((before) => ({ references: before.references.toSpliced(index, 1) }))
              }
            />
          ))}
        </ul>
      )}
      <div className={`${styles.drop} ${isOver ? styles.over : ""}`}>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept={acceptedTypes}
          onChange={({ target }) => {
            upload([...(target.files ?? [])]);
            target.value = "";
          }}
        />
        <Button look="ghost" disabled={isFull} onClick={() => input.current?.click()}>
          <Icon name="plus" size={16} />
          {pending > 0 ? texts.create.uploading : texts.create.addReference}
        </Button>
        <span>{isFull ? texts.create.referencesFull : texts.create.dropHint}</span>
      </div>
      {shown !== undefined && (
        <p className={styles.problem} role="alert">
          {shown}
        </p>
      )}
    </fieldset>
  );
}
