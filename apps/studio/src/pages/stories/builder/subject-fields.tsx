import type { ImageSource } from "@atelier/schemas";
import type { ReactNode } from "react";
import { texts } from "../../../texts/stories.ts";
import { Field } from "../../../ui/field.tsx";
import { ReferencePicture, takeImages, useUpload } from "../reference-picture.tsx";
import styles from "./builder.module.css";

interface Subject {
  readonly name: string;
  readonly description: string;
  readonly reference: ImageSource | null;
}

/** Picture, name and description of a character or a place. */
export function SubjectFields(props: {
  readonly subject: Subject;
  /** Name to show while it has none of its own. */
  readonly name: string;
  readonly placeholders: { readonly name: string; readonly description: string };
  readonly problems: Readonly<Record<keyof Subject, string | undefined>>;
  /** Whether the text of a field is as the assistant wrote it. */
  readonly isDrafted: (field: "name" | "description") => boolean;
  readonly onChange: (part: Partial<Subject>) => void;
  readonly action: ReactNode;
}) {
  const { subject, name, placeholders, problems, isDrafted, onChange, action } = props;
  const upload = useUpload((reference) => onChange({ reference }));
  return (
    // An image can be dropped or pasted anywhere on the card; the button does the same.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles.subject} {...takeImages((file) => upload.mutate(file))}>
      <ReferencePicture
        name={name}
        source={subject.reference}
        upload={upload}
        problem={problems.reference}
        onRemove={() => onChange({ reference: null })}
      />
      <div className={styles.subjectTexts}>
        <div className={styles.nameRow}>
          <Field
            label={texts.stories.name}
            aside={isDrafted("name") && texts.stories.drafted}
            problem={problems.name}
          >
            {(control) => (
              <input
                {...control}
                dir="auto"
                value={subject.name}
                maxLength={100}
                placeholder={placeholders.name}
                onChange={({ target }) => onChange({ name: target.value })}
              />
            )}
          </Field>
          {action}
        </div>
        <Field
          label={texts.stories.appearance}
          aside={isDrafted("description") && texts.stories.drafted}
          problem={problems.description}
        >
          {(control) => (
            <textarea
              dir="auto"
              {...control}
              rows={2}
              value={subject.description}
              maxLength={4_000}
              placeholder={placeholders.description}
              onChange={({ target }) => onChange({ description: target.value })}
            />
          )}
        </Field>
      </div>
    </div>
  );
}
