import type { UsageGroup } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { keysQuery } from "../../data/account-queries.ts";
import { modelNamesQuery } from "../../data/queries.ts";
import { saveFile } from "../../data/save-file.ts";
import { formatDate, formatEur, formatNumber } from "../../format.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/usage.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Totals } from "../../ui/totals.tsx";
import { Allowances } from "./allowances.tsx";
import { DayBars } from "./day-bars.tsx";
import { PeriodDialog } from "./period-form.tsx";
import { presets, readPeriod } from "./period.ts";
import { UsageTable } from "./usage-table.tsx";
import { writeCsv } from "./write-csv.ts";
import styles from "./usage.module.css";
import { groups, measures, nameRows, usageQuery, type Measure } from "./usage-query.ts";

const noNames: ReadonlyMap<string, string> = new Map();

/** The page that shows what was made and what it cost, or only the limits of a key without the scope `read`. */
export default function UsagePage() {
  const { scopes } = useSession();
  if (scopes.includes("read")) return <UsageOfAccount />;
  return (
    <Page title={texts.pages.usage} lead={texts.usage.hidden}>
      <Allowances />
    </Page>
  );
}

function UsageOfAccount() {
  const [search, setSearch] = useSearchParams();
  const [openedAt] = useState(Date.now);
  const [isChoosing, setChoosing] = useState(false);
  const period = readPeriod(search, openedAt);
  const group: UsageGroup = groups.find((one) => one === search.get("by")) ?? "day";
  const measure: Measure = measures.find((one) => one === search.get("show")) ?? "cost";
  const { data: usage, error, refetch, isFetching } = useQuery(usageQuery(period, group));
  const { data: keys } = useQuery({ ...keysQuery, enabled: group === "key", retry: false });
  const { data: modelNames = noNames } = useQuery(modelNamesQuery);
  const rows = useMemo(() => {
    const keyNames = new Map(keys?.map(({ id, name }) => [id, name]));
    return usage === undefined
      ? []
      : nameRows(usage, group, group === "key" ? keyNames : modelNames);
  }, [usage, group, keys, modelNames]);

  /** Changes parts of the address; null removes one. */
  function change(parts: Readonly<Record<string, string | null>>): void {
    setSearch((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(parts)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      return next;
    });
  }
  function exportCsv(): void {
    if (usage === undefined) return;
    const name = `usage-${usage.from}-${usage.to}-by-${group}.csv`;
    saveFile(name, new Blob([writeCsv(rows, group)], { type: "text/csv" }));
  }
  const format = measure === "cost" ? formatEur : formatNumber;

  return (
    <Page
      title={texts.pages.usage}
      lead={texts.usage.lead}
      actions={
        <>
          <Link href="/account#transactions" asChild>
            <ButtonLink>
              <Icon name="file" size={16} /> {texts.usage.statement}
            </ButtonLink>
          </Link>
          <Button onClick={exportCsv} disabled={usage === undefined || usage.total.jobs === 0}>
            <Icon name="download" size={16} /> {texts.usage.csv}
          </Button>
        </>
      }
    >
      <div className={styles.filters}>
        <div className={styles.period}>
          <Segments
            label={texts.usage.period}
            options={presets}
            value={period.days}
            onChange={(days) => change({ days, from: null, to: null })}
          >
            {(days) => (days === "365" ? texts.usage.year : texts.usage.days(days))}
          </Segments>
          <Button look="ghost" onClick={() => setChoosing(true)}>
            {period.days === null
              ? texts.usage.range(formatDate(period.from), formatDate(period.to))
              : texts.usage.ownPeriod}
          </Button>
        </div>
        <Segments
          label={texts.usage.groupBy}
          options={groups}
          value={group}
          onChange={(by) => change({ by })}
        >
          {(one) => texts.usage.groups[one]}
        </Segments>
      </div>
      <Problem error={error} onRetry={() => void refetch()} />
      {usage !== undefined && (
        <>
          <Totals
            values={[
              [texts.usage.cost, formatEur(usage.total.cost_eur)],
              [texts.usage.images, formatNumber(usage.total.images)],
              [texts.usage.jobs, formatNumber(usage.total.jobs)],
              [texts.usage.failed, formatNumber(usage.total.failed)],
            ]}
          />
          {usage.total.jobs === 0 ? (
            <EmptyState icon="chart" title={texts.usage.empty} hint={texts.usage.emptyHint}>
              <Link href="/" asChild>
                <ButtonLink look="primary">{texts.shell.toCreate}</ButtonLink>
              </Link>
            </EmptyState>
          ) : (
            <Section
              title={texts.usage.by(texts.usage.groups[group])}
              lead={texts.usage.utc}
              actions={
                <Segments
                  label={texts.usage.measure}
                  options={measures}
                  value={measure}
                  onChange={(show) => change({ show })}
                >
                  {(one) => texts.usage.measures[one]}
                </Segments>
              }
            >
              {group === "day" && <DayBars rows={rows} measure={measure} format={format} />}
              <UsageTable rows={rows} group={group} measure={measure} total={usage.total} />
            </Section>
          )}
        </>
      )}
      <Allowances />
      {isFetching && usage === undefined && <p role="status">{texts.common.loading}</p>}
      {isChoosing && (
        <PeriodDialog
          period={period}
          onChange={({ from, to }) => change({ from, to, days: null })}
          onClose={() => setChoosing(false)}
        />
      )}
    </Page>
  );
}
