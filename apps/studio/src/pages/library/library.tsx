import type { Collection } from "@atelier/schemas/endpoints";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { Link, useSearchParams } from "wouter";
import { ApiError, messageOf } from "../../api.ts";
import { changeCollection, useCollections } from "../../data/collections.ts";
import { accountQuery, retryDelay, shouldRetry } from "../../data/queries.ts";
import { formatRetention } from "../../format-retention.ts";
import { formatNumber } from "../../format.ts";
import { locale } from "../../language.ts";
import { KeptQuota } from "../../pictures/kept-quota.tsx";
import { texts } from "../../texts/library.ts";
import { texts as pictureTexts } from "../../texts/pictures.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useHeldWhilePressed } from "../../ui/input/pointer-press.ts";
import { Problem } from "../../ui/problem.tsx";
import { showToast } from "../../ui/toast.tsx";
import { FilterBar } from "./filter-bar.tsx";
import {
  countFilters,
  noFilters,
  queryOf,
  readFilters,
  withFilters,
  type Filters,
} from "./filters.ts";
import { Gallery } from "./gallery.tsx";
import type { JobList } from "./job-list.ts";
import { libraryQuery, readMore, readUntil } from "./library-query.ts";
import styles from "./library.module.css";
import { Peek } from "./peek.tsx";
import { Running } from "./running.tsx";
import { SelectionBar } from "./selection/selection-bar.tsx";
import { useSelection } from "./selection/use-selection.ts";
import { Shelf } from "./shelf.tsx";
import { useFileSearch } from "./use-file-search.ts";
import { useLive } from "./use-live.ts";
import { useOpenJob } from "./use-open-job.ts";

/** The page of all jobs of the account: newest first, limited by filters of the address. */
export default function Library() {
  const [search, setSearch] = useSearchParams();
  const filters = useMemo(() => readFilters(search), [search]);
  const query = queryOf(filters);
  const read = useQuery({ ...libraryQuery(query), placeholderData: keepPreviousData });
  const { error, refetch, isPlaceholderData } = read;
  // The list does not change under a press, whose click would be lost.
  const data = useHeldWhilePressed(read.data);
  const more = useMutation({ mutationFn: readMore, retry: shouldRetry, retryDelay });
  useLive(query);

  // A job that changes may not match these filters any more.
  const matching = useCallback(
    ({ jobs: all }: JobList) =>
      all.filter(
        ({ status, starred }) =>
          (filters.status === "" || status === filters.status) &&
          (filters.starred === "" || starred),
      ),
    [filters.status, filters.starred],
  );
  const jobs = useMemo(() => data && matching(data), [data, matching]);
  const opened = useOpenJob(jobs);
  const { data: account } = useQuery(accountQuery);
  const { mutate, isPending, isError } = more;
  const hasMore = data !== undefined && data.next_cursor !== null;
  const cursor = data?.next_cursor;
  const readOn = useCallback(() => {
    if (!isPending && !isError && !isPlaceholderData && cursor !== null) mutate(query);
  }, [isPending, isError, isPlaceholderData, mutate, query, cursor]);

  function change(part: Partial<Filters>): void {
    more.reset();
    setSearch((before) => withFilters(before, part), { replace: true });
    scrollTo({ top: 0 });
  }
  const isLimited = countFilters(filters) > 0;
  const selection = useSelection(query, jobs ?? [], async (count) =>
    matching(await readUntil(query, (list) => matching(list).length >= count)),
  );
  const selected = selection.ids;
  const collections = useCollections();
  const collection = collections.find(({ id }) => id === filters.collection);
  const removing = useMutation({
    mutationFn: ({ id, from }: { readonly id: string; readonly from: Collection }) =>
      changeCollection(from.id, "remove", [id]),
    onSuccess: (_, { id, from }) =>
      showToast(pictureTexts.pictures.collections.removed(1, from.name), () =>
        changeCollection(from.id, "add", [id]),
      ),
    onError: (problem) => showToast(messageOf(problem)),
  });
  // A file has one job, which other filters could hide.
  const { search: searchFile, isOver } = useFileSearch((hash) => change({ ...noFilters, hash }));

  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <header className={styles.heading}>
        <h1>{texts.pages.library}</h1>
        <p className={styles.count} role="status">
          {jobs !== undefined &&
            texts.library.shown(jobs.length, formatNumber(jobs.length), hasMore)}
        </p>
        {account !== undefined && (
          <p>{texts.library.keptFor(formatRetention(account.retention_hours, locale))}</p>
        )}
        <KeptQuota />
      </header>
      <Running onOpen={opened.open} />
      <FilterBar filters={filters} onChange={change} onFile={searchFile} />
      <Shelf
        filters={filters}
        jobs={jobs ?? []}
        onChange={change}
        isSelecting={selected !== null}
        onSelecting={(isSelecting) => (isSelecting ? selection.begin() : selection.end())}
      />
      {isOver && <p className={styles.drop}>{texts.library.dropFile}</p>}
      {error !== null && data === undefined ? (
        <EmptyState
          icon="alert"
          {...(filters.similar_to !== "" && error instanceof ApiError && error.status === 404
            ? { title: texts.library.similarUnknown, hint: texts.library.similarUnknownHint }
            : { title: texts.library.unread, hint: messageOf(error) })}
        >
          <Button onClick={() => void refetch()}>{texts.common.tryAgain}</Button>
          {isLimited && <Button onClick={() => change(noFilters)}>{texts.library.clear}</Button>}
        </EmptyState>
      ) : jobs?.length === 0 && !hasMore ? (
        <Empty isLimited={isLimited} filters={filters} onClear={() => change(noFilters)} />
      ) : (
        <Gallery
          jobs={jobs}
          isStale={isPlaceholderData}
          hasMore={hasMore}
          openId={opened.id}
          hrefOf={opened.hrefOf}
          onOpen={opened.open}
          selection={selection}
          collection={
            collection && {
              name: collection.name,
              onRemove: (id) => removing.mutate({ id, from: collection }),
            }
          }
          onNearEnd={readOn}
        />
      )}
      {isError && (
        <div className={styles.end}>
          <Problem error={more.error} onRetry={() => mutate(query)} />
        </div>
      )}
      {selected !== null && (
        <SelectionBar
          jobs={jobs?.filter(({ id }) => selected.has(id)) ?? []}
          collection={collection}
          onAll={selection.selectAll}
          onDone={selection.end}
        />
      )}
      {opened.id !== null && (
        <Peek id={opened.id} onStep={opened.step} canStep={opened.canStep} onClose={opened.close} />
      )}
    </main>
  );
}

function Empty(props: {
  readonly isLimited: boolean;
  readonly filters: Filters;
  readonly onClear: () => void;
}) {
  if (props.filters.hash !== "") {
    return (
      <EmptyState icon="gallery" title={texts.library.noFile} hint={texts.library.noFileHint}>
        <Button onClick={props.onClear}>{texts.library.clear}</Button>
        <Link href="/verify" asChild>
          <ButtonLink>{texts.pages.verify}</ButtonLink>
        </Link>
      </EmptyState>
    );
  }
  if (props.isLimited) {
    const [title, hint] = emptyTexts(props.filters);
    return (
      <EmptyState icon="gallery" title={title} hint={hint}>
        <Button onClick={props.onClear}>{texts.library.clear}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="gallery" title={texts.library.empty} hint={texts.library.emptyHint}>
      <Link href="/" asChild>
        <ButtonLink look="primary">{texts.library.makeFirst}</ButtonLink>
      </Link>
    </EmptyState>
  );
}

/** The text of an empty list: a star or a collection that is its only limit has words of its own. */
function emptyTexts(filters: Filters): readonly [title: string, hint: string] {
  const { library } = texts;
  if (countFilters(filters) === 1) {
    if (filters.starred !== "") return [library.nothingStarred, library.nothingStarredHint];
    if (filters.similar_to !== "") return [library.noSimilar, library.noSimilarHint];
    if (filters.collection !== "") return [library.emptyCollection, library.emptyCollectionHint];
  }
  const { words, metadata, other } = library.noMatchHints;
  const hints = [filters.q !== "" && words, filters.metadata !== "" && metadata];
  return [library.noMatch, hints.filter((hint) => hint !== false).join(" ") || other];
}
