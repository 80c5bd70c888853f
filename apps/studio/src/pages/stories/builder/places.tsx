import { problemAt } from "../../../form/problems.ts";
import { texts } from "../../../texts/stories.ts";
import { addId, CardButton, Group } from "../part-card.tsx";
import styles from "./builder.module.css";
import {
  changeItem,
  isDrafted,
  limits,
  newLocation,
  removeItem,
  type ChangeDraft,
  type DraftLocation,
  type StoryDraft,
} from "./draft.ts";
import { elementIdOf, focusAdded, focusAfterRemoval } from "./focus-soon.ts";
import type { Problems } from "./problems.ts";
import { SubjectFields } from "./subject-fields.tsx";

/** The places of the story. */
export function Places(props: {
  readonly draft: StoryDraft;
  readonly problems: Problems;
  readonly onChange: ChangeDraft;
}) {
  const { draft, problems, onChange } = props;
  const { locations } = draft;
  function add(): void {
    const added = newLocation();
    onChange((before) => ({ locations: [...before.locations, added] }));
    focusAdded(added.id);
  }
  function remove(id: string): void {
    onChange((before) => ({
      locations: removeItem(before.locations, id),
      scenes: before.scenes.map((scene) =>
        scene.locationId === id ? { ...scene, locationId: null } : scene,
      ),
    }));
    focusAfterRemoval(locations, id, addId("places"));
  }
  return (
    <Group
      id="places"
      title={texts.stories.places}
      hint={texts.stories.placesHint}
      count={texts.stories.of(locations.length, limits.locations)}
      add={texts.stories.addPlace}
      onAdd={locations.length < limits.locations ? add : null}
    >
      {locations.length > 0 && (
        <ul className={styles.cards}>
          {locations.map((location, index) => {
            const path = `locations.${index}`;
            const name = location.name.trim() || texts.stories.placeNumber(index + 1);
            return (
              <li key={location.id} className={styles.card}>
                <div id={elementIdOf(location.id)} tabIndex={-1} role="group" aria-label={name}>
                  <SubjectFields
                    subject={location}
                    name={name}
                    placeholders={texts.stories.placePlaceholders}
                    problems={{
                      name: problems.get(`${path}.name`),
                      description: problems.get(`${path}.description`),
                      reference:
                        problemAt(problems, `${path}.reference`) ??
                        problems.get(`${path}.reference_url`),
                    }}
                    isDrafted={(field) =>
                      isDrafted(draft, `${location.id}.${field}`, location[field])
                    }
                    onChange={(part) =>
                      onChange((before) => ({
                        locations: changeItem<DraftLocation>(before.locations, location.id, part),
                      }))
                    }
                    action={
                      <CardButton
                        icon="trash"
                        name={texts.stories.remove(name)}
                        onClick={() => remove(location.id)}
                      />
                    }
                  />
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </Group>
  );
}
