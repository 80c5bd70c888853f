import { texts } from "../../texts/stories.ts";
import { problemAt } from "../create/problems.ts";
import styles from "./builder.module.css";
import { CharacterStates } from "./character-states.tsx";
import {
  changeItem,
  limits,
  newCharacter,
  removeItem,
  type ChangeDraft,
  type DraftCharacter,
  type StoryDraft,
} from "./draft.ts";
import { CardButton, Group } from "./part-card.tsx";
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
  const add = () => onChange((before) => ({ characters: [...before.characters, newCharacter()] }));
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
              character={character}
              index={index}
              isOnly={characters.length === 1}
              problems={problems}
              onChange={onChange}
            />
          </li>
        ))}
      </ul>
    </Group>
  );
}

function Character(props: {
  readonly character: DraftCharacter;
  readonly index: number;
  readonly isOnly: boolean;
  readonly problems: Problems;
  readonly onChange: ChangeDraft;
}) {
  const { character, index, isOnly, problems, onChange } = props;
  const { id } = character;
  const name = character.name.trim() || texts.stories.characterNumber(index + 1);
  const path = `characters.${index}`;
  const change = (part: Partial<DraftCharacter>) =>
    onChange(({ characters }) => ({ characters: changeItem(characters, id, part) }));
  const remove = () =>
    onChange(({ characters, scenes }) => ({
      characters: removeItem(characters, id),
      scenes: scenes.map((scene) => ({
        ...scene,
        characters: scene.characters.filter(({ characterId }) => characterId !== id),
      })),
    }));
  return (
    <div role="group" aria-label={name}>
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
        onChange={change}
        action={
          !isOnly && <CardButton icon="trash" name={texts.stories.remove(name)} onClick={remove} />
        }
      />
      <CharacterStates {...{ character, index, name, problems, onChange }} />
    </div>
  );
}
