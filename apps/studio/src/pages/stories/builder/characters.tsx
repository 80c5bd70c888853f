import { problemAt } from "../../../form/problems.ts";
import { texts } from "../../../texts/stories.ts";
import { addId, CardButton, Group } from "../part-card.tsx";
import styles from "./builder.module.css";
import { CharacterStates } from "./character-states.tsx";
import {
  changeItem,
  isDrafted,
  limits,
  newCharacter,
  removeItem,
  type ChangeDraft,
  type DraftCharacter,
  type StoryDraft,
} from "./draft.ts";
import { elementIdOf, focusAdded, focusAfterRemoval } from "./focus-soon.ts";
import type { Problems } from "./problems.ts";
import { SubjectFields } from "./subject-fields.tsx";

/** The characters of the story. */
export function Characters(props: {
  readonly draft: StoryDraft;
  readonly problems: Problems;
  readonly onChange: ChangeDraft;
}) {
  const { draft, problems, onChange } = props;
  const { characters } = draft;
  function add(): void {
    const added = newCharacter();
    onChange((before) => ({ characters: [...before.characters, added] }));
    focusAdded(added.id);
  }
  function remove(id: string): void {
    onChange((before) => ({
      characters: removeItem(before.characters, id),
      scenes: before.scenes.map((scene) => ({
        ...scene,
        characters: scene.characters.filter(({ characterId }) => characterId !== id),
      })),
    }));
    focusAfterRemoval(characters, id, addId("characters"));
  }
  return (
    <Group
      id="characters"
      title={texts.stories.characters}
      hint={texts.stories.charactersHint}
      count={texts.stories.of(characters.length, limits.characters)}
      add={texts.stories.addCharacter}
      onAdd={characters.length < limits.characters ? add : null}
    >
      <ul className={styles.cards}>
        {characters.map((character, index) => (
          <li key={character.id} className={styles.card}>
            <Character
              draft={draft}
              character={character}
              index={index}
              problems={problems}
              onChange={onChange}
              onRemove={characters.length === 1 ? null : () => remove(character.id)}
            />
          </li>
        ))}
      </ul>
    </Group>
  );
}

function Character(props: {
  readonly draft: StoryDraft;
  readonly character: DraftCharacter;
  readonly index: number;
  readonly problems: Problems;
  readonly onChange: ChangeDraft;
  /** Null when the story needs the character. */
  readonly onRemove: (() => void) | null;
}) {
  const { draft, character, index, problems, onChange, onRemove } = props;
  const { id } = character;
  const name = character.name.trim() || texts.stories.characterNumber(index + 1);
  const path = `characters.${index}`;
  const change = (part: Partial<DraftCharacter>) =>
    onChange(({ characters }) => ({ characters: changeItem(characters, id, part) }));
  return (
    <div id={elementIdOf(id)} tabIndex={-1} role="group" aria-label={name}>
      <SubjectFields
        subject={character}
        name={name}
        placeholders={texts.stories.characterPlaceholders}
        problems={{
          name: problems.get(`${path}.name`),
          description: problems.get(`${path}.description`),
          reference:
            problemAt(problems, `${path}.reference`) ?? problems.get(`${path}.reference_url`),
        }}
        isDrafted={(field) => isDrafted(draft, `${id}.${field}`, character[field])}
        onChange={change}
        action={
          onRemove !== null && (
            <CardButton icon="trash" name={texts.stories.remove(name)} onClick={onRemove} />
          )
        }
      />
      <CharacterStates {...{ character, index, name, problems, onChange }} />
    </div>
  );
}
