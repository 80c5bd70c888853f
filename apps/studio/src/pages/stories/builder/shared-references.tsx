import { texts } from "../../../texts/stories.ts";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { addId, CardButton } from "../part-card.tsx";
import { ReferencePicture, takeImages, useUpload } from "../reference-picture.tsx";
import styles from "./builder.module.css";
import { changeItem, limits, newId, removeItem, type DraftReference } from "./draft.ts";
import { elementIdOf, focusAdded, focusAfterRemoval } from "./focus-soon.ts";
import type { SettingsProps } from "./story-settings.tsx";

/** Pictures that all images of the story follow. */
export function SharedReferences({ draft, problems, onChange }: SettingsProps) {
  const { references } = draft;
  function add(): void {
    const added = { id: newId(), description: "", reference: null };
    onChange((before) => ({ references: [...before.references, added] }));
    focusAdded(added.id);
  }
  function remove(id: string): void {
    onChange((before) => ({ references: removeItem(before.references, id) }));
    focusAfterRemoval(references, id, addId("reference"));
  }
  return (
    <fieldset className={styles.references}>
      <legend>{texts.stories.references}</legend>
      <p>{texts.stories.referencesHint}</p>
      {references.map((one, index) => (
        <Reference
          key={one.id}
          reference={one}
          number={index + 1}
          problems={{
            description: problems.get(`reference_images.${index}.description`),
            picture:
              problems.get(`reference_images.${index}`) ??
              problems.get(`reference_images.${index}.url`) ??
              problems.get(`reference_images.${index}.upload_id`),
          }}
          onChange={(part) =>
            onChange((before) => ({ references: changeItem(before.references, one.id, part) }))
          }
          onRemove={() => remove(one.id)}
        />
      ))}
      {references.length < limits.references && (
        <button id={addId("reference")} type="button" className={styles.addState} onClick={add}>
          <Icon name="plus" size={14} /> {texts.stories.addReference}
        </button>
      )}
    </fieldset>
  );
}

function Reference(props: {
  readonly reference: DraftReference;
  readonly number: number;
  readonly problems: {
    readonly description: string | undefined;
    readonly picture: string | undefined;
  };
  readonly onChange: (part: Partial<DraftReference>) => void;
  readonly onRemove: () => void;
}) {
  const { reference, number, problems, onChange, onRemove } = props;
  const upload = useUpload((source) => onChange({ reference: source }));
  const name = texts.stories.referenceNumber(number);
  return (
    // An image can be dropped or pasted anywhere on the card; the button does the same.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      id={elementIdOf(reference.id)}
      tabIndex={-1}
      role="group"
      aria-label={name}
      className={styles.state}
      {...takeImages((file) => upload.mutate(file))}
    >
      <ReferencePicture
        name={name}
        source={reference.reference}
        upload={upload}
        problem={problems.picture}
        onRemove={() => onChange({ reference: null })}
      />
      <div className={styles.subjectTexts}>
        <div className={styles.nameRow}>
          <Field label={texts.stories.referenceShows} problem={problems.description}>
            {(control) => (
              <textarea
                dir="auto"
                {...control}
                rows={2}
                value={reference.description}
                maxLength={4_000}
                placeholder={texts.stories.referencePlaceholder}
                onChange={({ target }) => onChange({ description: target.value })}
              />
            )}
          </Field>
          <CardButton icon="trash" name={texts.stories.remove(name)} onClick={onRemove} />
        </div>
      </div>
    </div>
  );
}
