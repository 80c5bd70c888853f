import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { ApiError, leaveForProvider, messageOf } from "../../api.ts";
import { language, listLanguages, openInLanguage } from "../../language.ts";
import type { Page } from "../../routes.tsx";
import { enterKey, useSession } from "../../session.ts";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Problem } from "../../ui/problem.tsx";
import picture from "./entrance.webp";
import styles from "./sign-in.module.css";

/** Signs in by an API key. */
export function SignIn(props: {
  /** Whether a session ended while it was used. */
  readonly isExpired: boolean;
  /** Why a link did not sign in; null if there was none. */
  readonly problem: unknown;
  /** The pages that can be used without an account. */
  readonly publicPages: readonly Page[];
}) {
  const { isExpired, problem, publicPages } = props;
  const [key, setKey] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const entering = useMutation({ mutationFn: enterKey });
  const { identityProvider } = useSession();
  const leaving = useMutation({ mutationFn: () => leaveForProvider(false) });
  const error = entering.error ?? leaving.error;
  // A refused key is a problem of the field; anything else is not.
  const isRefused = error instanceof ApiError && [400, 401, 403].includes(error.status);
  useEffect(() => {
    document.title = `${texts.signIn.title} · Atelier`;
    field.current?.focus();
  }, []);
  function submit(event: FormEvent): void {
    event.preventDefault();
    entering.mutate(key.trim());
  }
  return (
    <div className={styles.page}>
      <main className={styles.form}>
        <div className={styles.brand}>
          <img src="/studio/icon.svg" alt="" width="28" height="28" /> Atelier
        </div>
        <div>
          <h1>{texts.signIn.title}</h1>
          <p className={styles.lead}>{texts.signIn.lead}</p>
        </div>
        {isExpired && <Notice kind="neutral">{texts.signIn.expired}</Notice>}
        <Problem error={isRefused ? null : (error ?? problem)} />
        {identityProvider !== null && (
          <Button
            look="primary"
            isBig
            disabled={leaving.isPending}
            onClick={() => leaving.mutate()}
          >
            {texts.signIn.provider(identityProvider)}
          </Button>
        )}
        <form className={styles.entry} onSubmit={submit}>
          <Field
            label={texts.signIn.key}
            hint={texts.signIn.keyHint}
            problem={isRefused ? messageOf(error) : undefined}
          >
            {(control) => (
              <input
                {...control}
                ref={field}
                type="password"
                value={key}
                onChange={(event) => setKey(event.target.value)}
                placeholder={texts.signIn.keyPlaceholder}
                autoComplete="current-password"
                spellCheck={false}
                required
              />
            )}
          </Field>
          <Button
            look={identityProvider === null ? "primary" : "plain"}
            isBig
            type="submit"
            disabled={entering.isPending}
          >
            {entering.isPending ? texts.signIn.signingIn : texts.signIn.submit}
          </Button>
        </form>
        <p className={styles.other}>{texts.signIn.members}</p>
        <PublicPages pages={publicPages} />
        <Languages />
      </main>
      <div className={styles.art}>
        <img src={picture} alt="" />
      </div>
    </div>
  );
}

/** Links to what can be used without an account. */
function PublicPages({ pages }: { readonly pages: readonly Page[] }) {
  return pages.map(({ path, name }) => (
    <p key={path} className={styles.other}>
      {texts.signIn.withoutAccount} <a href={`/studio${path}`}>{name}</a>
    </p>
  ));
}

/** The other languages of Studio, each with its own name. */
function Languages() {
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
