import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { leaveForProvider, messageOf } from "../../api.ts";
import type { Page } from "../../routes.tsx";
import { enterKey, useSession } from "../../session.ts";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Languages } from "./languages.tsx";
import { isRefusedKey, KeyEntry } from "./key-entry.tsx";
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
  const entering = useMutation({ mutationFn: enterKey });
  const { identityProvider } = useSession();
  const leaving = useMutation({ mutationFn: () => leaveForProvider(false) });
  const error = entering.error ?? leaving.error;
  const isRefused = isRefusedKey(error);
  useEffect(() => {
    document.title = `${texts.signIn.title} · Atelier`;
  }, []);
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
        <KeyEntry
          label={texts.signIn.key}
          hint={texts.signIn.keyHint}
          placeholder={texts.signIn.keyPlaceholder}
          look={identityProvider === null ? "primary" : "plain"}
          problem={isRefused ? messageOf(error) : undefined}
          isPending={entering.isPending}
          onEnter={(key) => entering.mutate(key)}
        />
        <p className={styles.other}>{texts.signIn.noKey}</p>
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
