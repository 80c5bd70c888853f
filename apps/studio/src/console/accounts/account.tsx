import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { formatEur, formatTime } from "../../format.ts";
import { formatRetention } from "../../format-retention.ts";
import { locale } from "../../language.ts";
import { texts } from "../../texts/console.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Totals } from "../../ui/totals.tsx";
import styles from "../console.module.css";
import { Facts } from "../facts.tsx";
import { formatMoment } from "../format-moment.ts";
import { accountQuery } from "../queries.ts";
import { useCanWrite } from "../session.ts";
import { AccountState } from "./account-state.tsx";
import { AccountSteps, type AccountStep } from "./account-steps.tsx";
import { figuresOf } from "./figures-of.ts";
import { Keys } from "./keys.tsx";
import { Members } from "./members.tsx";
import { Transactions } from "./transactions.tsx";

/** The page of one account. */
export function AccountPage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(accountQuery(id));
  const canWrite = useCanWrite();
  const [step, setStep] = useState<AccountStep | null>(null);
  const named = texts.console.account;
  if (data === undefined) {
    if (error === null) return <Loading />;
    return (
      <Page title={texts.console.accounts.one}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  const { account, keys, members } = data;
  const { spent, failed } = figuresOf(account);
  const retention = account.retention_hours;
  return (
    <Page
      title={account.name}
      lead={
        <>
          <code className={styles.id}>{account.id}</code> <AccountState account={account} />
        </>
      }
      actions={
        <>
          {canWrite && account.status !== "erased" && (
            <>
              <Button look="primary" onClick={() => setStep("topUp")}>
                {named.steps.topUp.action}
              </Button>
              <Button onClick={() => setStep("withdraw")}>{named.steps.withdraw.action}</Button>
              {account.status === "active" ? (
                <Button look="danger" onClick={() => setStep("suspend")}>
                  {named.steps.suspend.action}
                </Button>
              ) : (
                <Button onClick={() => setStep("resume")}>{named.steps.resume.action}</Button>
              )}
            </>
          )}
          <Link href={`/jobs?account=${account.id}`} asChild>
            <ButtonLink>{texts.console.jobs.title}</ButtonLink>
          </Link>
        </>
      }
    >
      <Totals
        values={[
          [named.balance, formatEur(account.balance_eur)],
          [named.held, formatEur(account.held_eur)],
          [named.spent, spent],
          [named.failed, failed],
        ]}
      />
      <Section title={named.facts} lead={canWrite ? named.refunds : undefined}>
        <Facts
          values={[
            [named.externalId, account.external_id],
            [named.lastUse, formatMoment(account.last_used_at)],
            [named.unfinished, String(account.unfinished_jobs)],
            [named.strictness, texts.create.strictnessNames[account.strictness]],
            [
              named.retention,
              retention === null ? named.retentionOfService : formatRetention(retention, locale),
            ],
            [named.created, formatTime(account.created_at)],
            [named.suspended, account.suspended_at && formatTime(account.suspended_at)],
            [named.suspendedBy, account.suspension?.actor],
            [named.suspensionReason, account.suspension?.reason],
            [named.erased, account.erased_at && formatTime(account.erased_at)],
          ]}
        />
      </Section>
      <Transactions id={account.id} />
      <Section title={texts.pages.keys}>
        <Keys keys={keys} />
      </Section>
      <Section title={texts.pages.members}>
        <Members members={members} />
      </Section>
      {step !== null && (
        <AccountSteps account={account} step={step} onClose={() => setStep(null)} />
      )}
    </Page>
  );
}
