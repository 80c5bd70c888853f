import { useQuery } from "@tanstack/react-query";
import { formatEur } from "../../format.ts";
import { accountQuery } from "../../data/queries.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/account.ts";
import { texts as shareTexts } from "../../texts/share.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Totals } from "../../ui/totals.tsx";
import { ExportButton } from "./export-button.tsx";
import { Sessions } from "./sessions.tsx";
import { Shares } from "./shares.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { Transactions } from "./transactions.tsx";
import styles from "./account.module.css";

/** The page with the money, the settings and the data of the account. */
export default function Account() {
  const { data: account, error, refetch } = useQuery(accountQuery);
  const { scopes, member } = useSession();
  const canRead = scopes.includes("read");
  const canManage = scopes.includes("manage");
  const canSet = canManage && (member === null || member.role === "owner");
  const canExport = canRead && canManage;
  const hidden = [
    ...(canSet ? [] : [texts.account.settings]),
    ...(canRead ? [] : [texts.account.transactions]),
    ...(canRead || account?.sharing !== true ? [] : [shareTexts.share.list]),
    ...(canExport ? [] : [texts.account.export]),
  ];
  return (
    <Page title={texts.pages.account} lead={account?.name}>
      <Problem error={error} onRetry={() => void refetch()} />
      {account === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {account !== undefined && (
        <>
          <Totals
            values={[
              [texts.account.balance, formatEur(account.balance_eur)],
              ...(account.held_eur === undefined
                ? []
                : [[texts.account.held, formatEur(account.held_eur)] as const]),
            ]}
          />
          <p className={styles.note}>{texts.account.moneyText}</p>
          {hidden.length > 0 && (
            <p className={styles.note}>{texts.account.hidden(hidden.join(", "))}</p>
          )}
          {canSet && (
            <Section title={texts.account.settings} lead={texts.account.settingsLead}>
              <SettingsForm account={account} />
            </Section>
          )}
        </>
      )}
      {canRead && <Transactions />}
      {account?.sharing === true && canRead && (
        <Section title={shareTexts.share.list} lead={shareTexts.share.listLead}>
          <Shares />
        </Section>
      )}
      <Section title={texts.account.sessions} lead={texts.account.sessionsLead}>
        <Sessions />
      </Section>
      {account !== undefined && (
        <>
          {canExport && (
            <Section title={texts.account.export} lead={texts.account.exportLead}>
              <ExportButton accountId={account.id} />
            </Section>
          )}
          {member?.role !== "maker" && (
            <Section title={texts.account.erase} lead={texts.account.eraseText}>
              <dl className={styles.facts}>
                <dt>{texts.account.id}</dt>
                <dd>
                  <code>{account.id}</code>
                  <CopyButton text={account.id} name={texts.account.copyId} />
                </dd>
              </dl>
            </Section>
          )}
        </>
      )}
    </Page>
  );
}
