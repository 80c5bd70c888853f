import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keysQuery } from "../../data/account-queries.ts";
import { accountQuery } from "../../data/queries.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/keys.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { KeyItem } from "./key-item.tsx";
import { stateOf } from "./key-limit.ts";
import { KeySteps, type KeyStep } from "./key-steps.tsx";
import styles from "./keys.module.css";
import { mayAct } from "./may-act.ts";
import { ownKeyQuery } from "./own-key-query.ts";

/** The page with the keys of the account. */
export default function Keys() {
  const { data, error, refetch } = useQuery(keysQuery);
  // Those of members are changed on their page.
  const keys = data?.filter(({ member_id }) => member_id === null);
  const { data: account } = useQuery(accountQuery);
  const { data: ownKeyId } = useQuery(ownKeyQuery);
  const { member } = useSession();
  const [step, setStep] = useState<KeyStep | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const [openedAt] = useState(Date.now);
  const live = keys?.filter((key) => stateOf(key, openedAt) === "live") ?? [];
  const ended = (keys?.length ?? 0) - live.length;

  return (
    <Page
      title={texts.pages.keys}
      lead={texts.keys.lead}
      actions={
        keys !== undefined && (
          <Button look="primary" onClick={() => setStep({ kind: "create" })}>
            <Icon name="plus" size={16} /> {texts.keys.create}
          </Button>
        )
      }
    >
      <Problem error={error} onRetry={() => void refetch()} />
      {keys === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {keys !== undefined && live.length === 0 && (
        <EmptyState icon="key" title={texts.keys.empty} hint={texts.keys.emptyHint}>
          <Button look="primary" onClick={() => setStep({ kind: "create" })}>
            {texts.keys.create}
          </Button>
        </EmptyState>
      )}
      {keys !== undefined && (showsAll ? keys : live).length > 0 && (
        <ul className={styles.list}>
          {(showsAll ? keys : live).map((key) => (
            <KeyItem
              key={key.id}
              value={key}
              isOwn={key.id === ownKeyId}
              canAct={mayAct({ keyId: ownKeyId ?? null, member }, key, data ?? [])}
              balanceEur={account?.balance_eur}
              now={openedAt}
              onAction={(kind) => setStep({ kind, key })}
            />
          ))}
        </ul>
      )}
      {ended > 0 && (
        <div>
          <Button look="ghost" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? texts.keys.hideEnded : texts.keys.showEnded(ended)}
          </Button>
        </div>
      )}
      {step !== null && <KeySteps step={step} ownKeyId={ownKeyId ?? null} onStep={setStep} />}
    </Page>
  );
}
