import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { messageOf } from "../api.ts";
import { isRefusedKey, KeyEntry } from "../pages/sign-in/key-entry.tsx";
import { Languages } from "../pages/sign-in/languages.tsx";
import styles from "../pages/sign-in/sign-in.module.css";
import { useArrival } from "../shell/use-arrival.ts";
import { texts } from "../texts/console.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import own from "./console.module.css";
import { enterKey, leaveForProvider, useSession } from "./session.ts";

/** Signs in by a key of the operators, or at their identity provider. */
export function SignIn() {
  const { state, operator } = useSession();
  const provider = operator?.identity_provider ?? null;
  const entering = useMutation({ mutationFn: enterKey });
  const leaving = useMutation({ mutationFn: leaveForProvider });
  // The identity provider leads back with a reason in the fragment.
  const [wasRefused] = useState(() => location.hash.startsWith("#refused="));
  const isRefused = isRefusedKey(entering.error);
  const { title, lead, expired, key, keyHint, refused } = texts.console.session;
  // The page that follows takes the focus, as after a link.
  useArrival("sign-in");
  useEffect(() => {
    document.title = `${title} · ${texts.console.name}`;
    if (wasRefused) history.replaceState(null, "", location.pathname);
  }, [title, wasRefused]);
  return (
    <main className={`${styles.form} ${own.entrance}`}>
      <div className={styles.brand}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="28" height="28" />
        {texts.console.name}
      </div>
      <div>
        <h1>{title}</h1>
        <p className={styles.lead}>{lead}</p>
      </div>
      {state === "expired" && <Notice kind="neutral">{expired}</Notice>}
      {wasRefused && <Notice kind="bad">{refused}</Notice>}
      <Problem error={isRefused ? leaving.error : (entering.error ?? leaving.error)} />
      {provider !== null && (
        <Button look="primary" isBig disabled={leaving.isPending} onClick={() => leaving.mutate()}>
          {texts.signIn.provider(provider)}
        </Button>
      )}
      <KeyEntry
        label={key}
        hint={keyHint}
        look={provider === null ? "primary" : "plain"}
        problem={isRefused ? messageOf(entering.error) : undefined}
        isPending={entering.isPending}
        onEnter={(entered) => entering.mutate(entered)}
      />
      <Languages />
    </main>
  );
}
