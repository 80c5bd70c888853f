import { texts } from "../../../texts.ts";
import { Icon } from "../../../ui/icons.tsx";
import styles from "./stage.module.css";

/** Before the first image: what to do, and three prompts to begin with. */
export function Blank({ onChoose }: { readonly onChoose: (prompt: string) => void }) {
  function choose(prompt: string): void {
    onChoose(prompt);
    // Ctrl or Cmd and Enter then generate it.
    document.querySelector("textarea")?.focus();
  }
  return (
    <div className={styles.board}>
      <div className={`${styles.canvas} ${styles.blank}`}>
        <Icon name="image" size={28} />
        <h2>{texts.create.blankTitle}</h2>
        <p>{texts.create.blankHint}</p>
        <div className={styles.ideas} role="group" aria-label={texts.create.ideasName}>
          {texts.create.ideas.map(([name, prompt]) => (
            <button key={name} type="button" onClick={() => choose(prompt)}>
              <strong>{name}</strong>
              <span>{prompt}</span>
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}
