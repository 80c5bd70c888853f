import type { ReactNode } from "react";
import { Icon } from "../../ui/icons.tsx";
import styles from "./builder/builder.module.css";

/** Id of the button that adds a card to a group. */
export function addId(groupId: string): string {
  return `add-${groupId}`;
}

/** The heading of a group of cards: how many there are, and a button that adds one. */
export function Group(props: {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly count: string;
  readonly add: string;
  /** Null when there can be no more. */
  readonly onAdd: (() => void) | null;
  readonly children: ReactNode;
}) {
  const { id, title, hint, count, add, onAdd, children } = props;
  return (
    <section className={styles.group} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          {title} <small className="num">{count}</small>
        </h2>
        <p>{hint}</p>
      </header>
      {children}
      {onAdd !== null && (
        <button id={addId(id)} type="button" className={styles.add} onClick={onAdd}>
          <Icon name="plus" size={16} /> {add}
        </button>
      )}
    </section>
  );
}

/** A small button of a card. */
export function CardButton(props: {
  readonly icon: "trash" | "close" | "up" | "down" | "left" | "right";
  readonly name: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}) {
  const { icon, name, isDisabled = false, onClick } = props;
  return (
    // Not `disabled`: the focus would be lost when a scene arrives at an end.
    <button
      type="button"
      className={styles.cardButton}
      aria-label={name}
      title={name}
      aria-disabled={isDisabled}
      onClick={() => {
        if (!isDisabled) onClick();
      }}
    >
      <Icon name={icon} size={16} />
    </button>
  );
}
