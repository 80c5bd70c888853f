import { problemAt } from "../../../form/problems.ts";
import { texts } from "../../../texts/stories.ts";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { addId, CardButton } from "../part-card.tsx";
import { ReferencePicture, takeImages, useUpload } from "../reference-picture.tsx";
import styles from "./builder.module.css";
import {
  changeItem,
  limits,
  newId,
  removeItem,
  type ChangeDraft,
  type DraftCharacter,
  type DraftState,
} from "./draft.ts";
import { elementIdOf, focusAdded, focusAfterRemoval } from "./focus-soon.ts";
import { lookProblem, type Problems } from "./problems.ts";

/** The other looks of a character. */
export function CharacterStates(props: {
  readonly character: DraftCharacter;
  readonly index: number;
  readonly name: string;
  readonly problems: Problems;
  readonly onChange: ChangeDraft;
}) {
  const { character, index, name, problems, onChange } = props;
  const { id, states } = character;
  const changeStates = (update: (states: readonly DraftState[]) => readonly DraftState[]) =>
    onChange(({ characters }) => ({
      characters: characters.map((one) =>
        one.id === id ? { ...one, states: update(one.states) } : one,
      ),
    }));
  function add(): void {
    const added = { id: newId(), key: "", description: "", reference: null };
    changeStates((before) => [...before, added]);
    focusAdded(added.id);
  }
  function remove(stateId: string): void {
    changeStates((before) => removeItem(before, stateId));
    focusAfterRemoval(states, stateId, addId(id));
  }
  return (
    <div className={styles.states}>
      {states.map((state) => (
        <State
          key={state.id}
          state={state}
          owner={name}
          path={`characters.${index}.states.${state.key.trim()}`}
          problems={problems}
          onChange={(part) => changeStates((before) => changeItem(before, state.id, part))}
          onRemove={() => remove(state.id)}
        />
      ))}
      {states.length < limits.states && (
        <button id={addId(id)} type="button" className={styles.addState} onClick={add}>
          <Icon name="plus" size={14} /> {texts.stories.addState}
          <span className="sr"> {texts.stories.for(name)}</span>
        </button>
      )}
    </div>
  );
}

function State(props: {
  readonly state: DraftState;
  /** The name of the character. */
  readonly owner: string;
  readonly path: string;
  readonly problems: Problems;
  readonly onChange: (part: Partial<DraftState>) => void;
  readonly onRemove: () => void;
}) {
  const { state, owner, path, problems, onChange, onRemove } = props;
  const upload = useUpload((reference) => onChange({ reference }));
  const name = texts.stories.stateOf(owner, state.key.trim() || texts.stories.newState);
  return (
    // An image can be dropped or pasted anywhere on the card; the button does the same.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      id={elementIdOf(state.id)}
      tabIndex={-1}
      role="group"
      aria-label={name}
      className={styles.state}
      {...takeImages((file) => upload.mutate(file))}
    >
      <ReferencePicture
        name={name}
        source={state.reference}
        upload={upload}
        problem={problemAt(problems, `${path}.reference`) ?? problems.get(`${path}.reference_url`)}
        onRemove={() => onChange({ reference: null })}
      />
      <div className={styles.subjectTexts}>
        <div className={styles.nameRow}>
          <Field label={texts.stories.state} problem={lookProblem(problems, path, state.key)}>
            {(control) => (
              <input
                {...control}
                dir="auto"
                value={state.key}
                maxLength={100}
                placeholder={texts.stories.statePlaceholder}
                onChange={({ target }) => onChange({ key: target.value })}
              />
            )}
          </Field>
          <CardButton icon="trash" name={texts.stories.remove(name)} onClick={onRemove} />
        </div>
        <Field label={texts.stories.stateDescription} problem={problems.get(`${path}.description`)}>
          {(control) => (
            <textarea
              dir="auto"
              {...control}
              rows={1}
              value={state.description}
              maxLength={4_000}
              placeholder={texts.stories.stateDescriptionPlaceholder}
              onChange={({ target }) => onChange({ description: target.value })}
            />
          )}
        </Field>
      </div>
    </div>
  );
}
