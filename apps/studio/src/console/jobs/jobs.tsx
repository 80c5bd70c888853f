import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation, useSearchParams } from "wouter";
import { formatTime } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { Button, MoreButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { useTransfers } from "../../ui/use-transfers.ts";
import styles from "../console.module.css";
import { timeZone } from "../format-moment.ts";
import { jobsQuery, recognise, type Found } from "../queries.ts";
import { SearchForm } from "../search-form.tsx";
import { readFilter, searchFor, type AccountFilter } from "./account-filter.ts";
import { AccountJobs } from "./account-jobs.tsx";
import { ArchivedNote } from "./archived-note.tsx";
import { isTime } from "./clue.ts";
import { JobList } from "./job-list.tsx";

/** An example of a time. */
const openedAt = new Date().toISOString();

/** The page that finds jobs of all accounts. A single one is opened at once. */
export function Jobs() {
  const [search, setSearch] = useSearchParams();
  const text = search.get("q") ?? "";
  const filter = readFilter(search);
  const query = jobsQuery(text, filter);
  const list = useInfiniteQuery(query);
  const recognising = useMutation({ mutationFn: recognise });
  const isOver = useTransfers((subject) => {
    if ("file" in subject) return recognising.mutate(subject.file);
    recognising.reset();
    setSearch({ q: subject.sha256 });
  });
  const found = recognising.data ?? foundBy(list.data?.pages);
  useOpen(recognising.data ?? (filter === null ? found : undefined));
  const error = recognising.error ?? list.error;
  const named = texts.console.jobs;
  return (
    <Page title={named.title}>
      <SearchForm
        label={named.field}
        hint={named.fieldHint(formatTime(openedAt), timeZone)}
        value={text}
        onSearch={(q) => {
          recognising.reset();
          setSearch(searchFor(q, isTime(q) ? filter : null));
        }}
      />
      {filter !== null && (
        <AccountJobs
          filter={filter}
          onChange={(changed) => {
            recognising.reset();
            setSearch(searchFor(text, changed));
          }}
        />
      )}
      <div className={`${styles.drop} ${isOver ? styles.over : ""}`}>
        <Icon name="image" />
        <p>{named.drop}</p>
        <FileButton onFile={(file) => recognising.mutate(file)} />
      </div>
      <Problem error={error} {...(list.error !== null && { onRetry: () => void list.refetch() })} />
      {(list.isLoading || recognising.isPending) && <p role="status">{texts.common.loading}</p>}
      {text !== "" && query.enabled === false && !recognising.isSuccess && (
        <EmptyState icon="question" title={named.noTime} hint={named.noTimeHint} />
      )}
      {found !== undefined && error === null && !recognising.isPending && (
        <>
          {found.archived !== null && <ArchivedNote archived={found.archived} />}
          {found.jobs.length > 0 && <JobList jobs={found.jobs} />}
          {found.jobs.length === 0 && found.archived === null && (
            <EmptyState
              icon="question"
              title={named.nothing}
              hint={recognising.data === undefined ? hintOf(text, filter) : named.notMadeHere}
            />
          )}
        </>
      )}
      {recognising.data === undefined && <MoreButton list={list} />}
    </Page>
  );
}

/** Says why a search may have found no job. */
function hintOf(text: string, filter: AccountFilter | null): string {
  const { nothingOfAccount, nothingAt, nothingHint } = texts.console.jobs;
  if (filter !== null) return nothingOfAccount;
  return isTime(text) ? nothingAt : nothingHint;
}

function foundBy(pages: readonly Found[] | undefined): Found | undefined {
  if (pages === undefined) return undefined;
  return { jobs: pages.flatMap(({ jobs }) => jobs), archived: pages[0]?.archived ?? null };
}

/** Opens the only job that was found, in place of the list. */
function useOpen(found: Found | undefined): void {
  const [, navigate] = useLocation();
  const id = found?.jobs.length === 1 ? found.jobs[0]?.id : undefined;
  useEffect(() => {
    if (id !== undefined) navigate(`/jobs/${id}`, { replace: true });
  }, [id, navigate]);
}

/** Chooses a picture, for those who cannot drop one. */
function FileButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file can be chosen again.
          target.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <Icon name="upload" size={16} /> {texts.console.jobs.picture}
      </Button>
    </>
  );
}
