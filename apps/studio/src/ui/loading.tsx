import { texts } from "../texts.ts";
import styles from "./loading.module.css";

/** In place of a page whose code or session is still on its way. Its text appears only if that takes long. */
export function Loading() {
  return (
    <main id="main" tabIndex={-1} aria-busy="true" className={styles.loading}>
      <p role="status">{texts.common.loading}</p>
    </main>
  );
}
