import { language, listLanguages, openInLanguage } from "../../language.ts";
import styles from "./sign-in.module.css";

/** The other languages of the pages, each with its own name. */
export function Languages() {
  return listLanguages()
    .filter(({ code }) => code !== language)
    .map(({ code, name }) => (
      <p key={code} className={styles.other}>
        <button
          type="button"
          className={styles.link}
          lang={code}
          onClick={() => openInLanguage(code)}
        >
          {name}
        </button>
      </p>
    ));
}
