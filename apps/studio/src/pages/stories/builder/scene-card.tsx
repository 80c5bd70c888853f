import type { Model } from "@atelier/schemas";
import type { ComponentProps } from "react";
import { problemAt } from "../../../form/problems.ts";
import { texts } from "../../../texts/stories.ts";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { CardButton } from "../part-card.tsx";
import { SceneCharacters } from "../scene-characters.tsx";
import styles from "./builder.module.css";
import { isDrafted, type DraftScene, type StoryDraft } from "./draft.ts";
import { elementIdOf } from "./focus-soon.ts";
import type { Problems } from "./problems.ts";

/** The fields of a scene, and the handle and buttons that move it. */
export function SceneCard(props: {
  readonly draft: StoryDraft;
  readonly scene: DraftScene;
  readonly index: number;
  readonly model: Model;
  readonly problems: Problems;
  readonly handleProps: ComponentProps<"span">;
  readonly onMove: (step: -1 | 1) => void;
  readonly onChange: (part: Partial<DraftScene>) => void;
  /** Null when the story needs the scene. */
  readonly onRemove: (() => void) | null;
}) {
  const { draft, scene, index, model, problems, handleProps, onMove, onChange, onRemove } = props;
  const name = texts.stories.sceneNumber(index + 1);
  const path = `scenes.${index}`;
  return (
    <div id={elementIdOf(scene.id)} tabIndex={-1} role="group" aria-label={name}>
      <header className={styles.sceneHead}>
        <span className={styles.handle} title={texts.stories.drag} {...handleProps}>
          <Icon name="grip" size={16} />
        </span>
        <h3>{name}</h3>
        <CardButton
          icon="up"
          name={texts.stories.moveUp(name)}
          isDisabled={index === 0}
          onClick={() => onMove(-1)}
        />
        <CardButton
          icon="down"
          name={texts.stories.moveDown(name)}
          isDisabled={index === draft.scenes.length - 1}
          onClick={() => onMove(1)}
        />
        {onRemove !== null && (
          <CardButton icon="trash" name={texts.stories.remove(name)} onClick={onRemove} />
        )}
      </header>
      <div className={styles.sceneFields}>
        <Field
          label={texts.stories.happens}
          aside={isDrafted(draft, `${scene.id}.prompt`, scene.prompt) && texts.stories.drafted}
          problem={problems.get(`${path}.prompt`)}
        >
          {(control) => (
            <textarea
              dir="auto"
              {...control}
              rows={2}
              value={scene.prompt}
              maxLength={32_000}
              placeholder={texts.stories.happensPlaceholder}
              onChange={({ target }) => onChange({ prompt: target.value })}
            />
          )}
        </Field>
        <SceneCharacters
          draft={draft}
          shown={scene.characters}
          problem={problemAt(problems, `${path}.characters`)}
          onChange={(characters) => onChange({ characters })}
        />
        <div className={styles.scenePair}>
          <Field label={texts.stories.place} problem={problems.get(`${path}.location`)}>
            {(control) => (
              <select
                {...control}
                value={scene.locationId ?? ""}
                onChange={({ target }) => onChange({ locationId: target.value || null })}
              >
                <option value="">{texts.stories.anyPlace}</option>
                {draft.locations.map((location, at) => (
                  <option key={location.id} value={location.id}>
                    {location.name.trim() || texts.stories.placeNumber(at + 1)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={texts.stories.aspectRatio} problem={problems.get(`${path}.aspect_ratio`)}>
            {(control) => (
              <select
                {...control}
                value={scene.aspectRatio}
                onChange={({ target }) => onChange({ aspectRatio: target.value })}
              >
                <option value="">
                  {texts.stories.ratioOfStory(draft.aspectRatio || model.default_aspect_ratio)}
                </option>
                {withValue(model.aspect_ratios, scene.aspectRatio).map((ratio) => (
                  <option key={ratio}>{ratio}</option>
                ))}
              </select>
            )}
          </Field>
        </div>
      </div>
    </div>
  );
}

/** The options, with a value of an imported file that the model does not offer. */
function withValue(options: readonly string[], value: string): readonly string[] {
  return value === "" || options.includes(value) ? options : [...options, value];
}
