import type { Model } from "@atelier/schemas";
import { useRef, useState, type KeyboardEvent } from "react";
import { texts } from "../../../texts/stories.ts";
import { addId, Group } from "../part-card.tsx";
import { useFocusKeeper } from "../use-focus-keeper.ts";
import styles from "./builder.module.css";
import {
  changeScene,
  limits,
  minScenes,
  moveItem,
  newScene,
  removeItem,
  type ChangeDraft,
  type StoryDraft,
} from "./draft.ts";
import { focusAdded, focusAfterRemoval } from "./focus-soon.ts";
import type { Problems } from "./problems.ts";
import { SceneCard } from "./scene-card.tsx";
import { useDragOrder } from "./use-drag-order.ts";

/** The scenes of the story, in an order that the mouse, touch and the keyboard can change. */
export function Scenes(props: {
  readonly draft: StoryDraft;
  readonly model: Model;
  readonly problems: Problems;
  readonly onChange: ChangeDraft;
}) {
  const { draft, model, problems, onChange } = props;
  const { scenes } = draft;
  const list = useRef<HTMLOListElement>(null);
  const [announcement, setAnnouncement] = useState("");
  const keepFocus = useFocusKeeper(scenes);
  const { drag, handleProps } = useDragOrder(list, move);

  function move(from: number, to: number): void {
    if (to < 0 || to >= scenes.length) return;
    keepFocus();
    onChange((before) => ({ scenes: moveItem(before.scenes, from, to) }));
    setAnnouncement(texts.stories.moved(from + 1, to + 1, scenes.length));
  }
  function onKeyDown(event: KeyboardEvent, index: number): void {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    // Alt and an arrow open a list of options.
    if (!event.altKey || step === undefined || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    move(index, index + step);
  }
  function dropClass(index: number): string | undefined {
    if (drag === null || drag.to === drag.from || drag.to !== index) return undefined;
    return drag.to < drag.from ? styles.dropBefore : styles.dropAfter;
  }
  function add(): void {
    const added = newScene(scenes.at(-1));
    onChange((before) => ({ scenes: [...before.scenes, added] }));
    focusAdded(added.id);
  }
  function remove(id: string): void {
    onChange((before) => ({ scenes: removeItem(before.scenes, id) }));
    focusAfterRemoval(scenes, id, addId("scenes"));
  }
  return (
    <Group
      id="scenes"
      title={texts.stories.scenes}
      hint={texts.stories.scenesHint}
      count={texts.stories.of(scenes.length, limits.scenes)}
      add={texts.stories.addScene}
      onAdd={scenes.length < limits.scenes ? add : null}
    >
      <p className="sr" role="status">
        {announcement}
      </p>
      <ol ref={list} className={styles.scenes}>
        {scenes.map((scene, index) => (
          // Alt and an arrow move the scene from any of its fields; its buttons do the same.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={scene.id}
            className={[styles.scene, dropClass(index), drag?.from === index && styles.dragged]
              .filter(Boolean)
              .join(" ")}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            <SceneCard
              {...{ draft, scene, index, model, problems }}
              handleProps={handleProps(index)}
              onMove={(step) => move(index, index + step)}
              onChange={(part) =>
                onChange((before) => ({ scenes: changeScene(before.scenes, scene.id, part) }))
              }
              onRemove={scenes.length > minScenes ? () => remove(scene.id) : null}
            />
          </li>
        ))}
      </ol>
    </Group>
  );
}
