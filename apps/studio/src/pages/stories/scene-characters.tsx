import { useId } from "react";
import { texts } from "../../texts/stories.ts";
import styles from "./scene-characters.module.css";
import type { Appearance, DraftCharacter, StoryDraft } from "./builder/draft.ts";

/** Which characters a scene shows, each in one of its looks. */
export function SceneCharacters(props: {
  readonly draft: Pick<StoryDraft, "characters">;
  readonly shown: readonly Appearance[];
  readonly problem: string | undefined;
  readonly onChange: (shown: readonly Appearance[]) => void;
}) {
  const { draft, shown, problem, onChange } = props;
  const id = useId();
  return (
    <fieldset className={styles.shown} aria-describedby={problem === undefined ? undefined : id}>
      <legend>{texts.stories.shown}</legend>
      <div>
        {draft.characters.map((character, index) => {
          const name = character.name.trim() || texts.stories.characterNumber(index + 1);
          const appearance = shown.find(({ characterId }) => characterId === character.id);
          const others = shown.filter(({ characterId }) => characterId !== character.id);
          return (
            <span key={character.id} className={styles.chip}>
              <label>
                <input
                  type="checkbox"
                  checked={appearance !== undefined}
                  onChange={({ target }) =>
                    onChange(
                      target.checked
                        ? [...shown, { characterId: character.id, stateId: null }]
                        : others,
                    )
                  }
                />
                {name}
              </label>
              {appearance !== undefined && character.states.length > 0 && (
                <Look
                  character={character}
                  name={name}
                  stateId={appearance.stateId}
                  onChange={(stateId) =>
                    onChange(
                      shown.map((one) => (one === appearance ? { ...appearance, stateId } : one)),
                    )
                  }
                />
              )}
            </span>
          );
        })}
      </div>
      {problem !== undefined && (
        <p id={id} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function Look(props: {
  readonly character: DraftCharacter;
  readonly name: string;
  readonly stateId: string | null;
  readonly onChange: (stateId: string | null) => void;
}) {
  const { character, name, stateId, onChange } = props;
  const known = character.states.some(({ id }) => id === stateId) ? stateId : null;
  return (
    <select
      aria-label={texts.stories.lookOf(name)}
      value={known ?? ""}
      onChange={({ target }) => onChange(target.value || null)}
    >
      <option value="">{texts.stories.normalLook}</option>
      {character.states.map((state) => (
        <option key={state.id} value={state.id}>
          {state.key.trim() || texts.stories.newState}
        </option>
      ))}
    </select>
  );
}
