import { useLayoutEffect, useRef } from "react";
import { texts } from "../texts.ts";
import styles from "./loading.module.css";

/**
 * In place of a page whose code, content or session is still on its way. Its text appears only if that takes long. If
 * it has the focus, it gives it to the page that replaces it.
 */
export function Loading() {
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const own = main.current;
    return () => {
      if (document.activeElement !== own) return;
      // Once the page is in the document.
      queueMicrotask(() => document.getElementById("main")?.focus({ preventScroll: true }));
    };
  }, []);
  return (
    <main ref={main} id="main" tabIndex={-1} aria-busy="true" className={styles.loading}>
      <p role="status">{texts.common.loading}</p>
    </main>
  );
}
