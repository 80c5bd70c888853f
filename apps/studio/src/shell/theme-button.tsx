import { useSyncExternalStore } from "react";
import { texts } from "../texts.ts";
import { Icon } from "../ui/icons.tsx";
import styles from "./shell.module.css";

type Theme = "light" | "dark";

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  systemIsDark.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    systemIsDark.removeEventListener("change", listener);
  };
}

function readTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return systemIsDark.matches ? "dark" : "light";
}

/**
 * Keeps the choice in this browser; `theme.js` reads it before the first paint. The theme of the system
 * is no choice: from then on, the theme follows the system again.
 */
function chooseTheme(theme: Theme): void {
  const isOfSystem = theme === (systemIsDark.matches ? "dark" : "light");
  try {
    if (isOfSystem) localStorage.removeItem("atelier.theme");
    else localStorage.setItem("atelier.theme", theme);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  if (isOfSystem) delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  for (const listener of listeners) listener();
}

/** Switches between the themes. Without a choice, the theme follows the system. */
export function ThemeButton() {
  const other = useSyncExternalStore(subscribe, readTheme) === "dark" ? "light" : "dark";
  const name = other === "dark" ? texts.shell.toDarkTheme : texts.shell.toLightTheme;
  return (
    <button
      type="button"
      className={styles.iconButton}
      onClick={() => chooseTheme(other)}
      aria-label={name}
      title={name}
    >
      <Icon name={other === "light" ? "sun" : "moon"} />
    </button>
  );
}
