import type { LoggedStatement } from "@atelier/testing";

/** Rows that a statement may read in addition to those that it returns. */
const free = 50;

/** A statement that may read more. */
interface Exception {
  readonly name: string;
  readonly text: RegExp;
  /** Rows that it may read for each row that it returns. */
  readonly perRow?: number;
  /** Rows that it may read besides; all of them when left out. */
  readonly most?: number;
  readonly reason: string;
}

const exceptions: readonly Exception[] = [
  {
    name: "a search for words that few jobs have",
    text: /search\.terms @@/,
    reason: "reads the account's newest jobs until enough match, for at most 5 s",
  },
  {
    name: "similar images",
    text: /^SELECT (?:id FROM \( SELECT newest\.id, image\.perceptual_hash|mark\.perceptual_hash::text)/,
    most: 200_000,
    reason:
      "compares the newest 10,000 images of the account, each with its job and its render; small tables are scanned for each, and the test of findSimilar has no small ones",
  },
  {
    name: "a job",
    text: /^SELECT (?:request, \(SELECT note\.book|CASE WHEN g\.kind = 'story')/,
    perRow: 150,
    most: 200,
    reason:
      "a job or a page of jobs with the renders and files of each; small tables are scanned for each",
  },
  {
    name: "a page of transactions",
    text: /^SELECT page\.id, page\.kind, page\.created_at AS "bookedAt"/,
    perRow: 5,
    most: free,
    reason: "each transaction with its entry and its job",
  },
  {
    name: "the usage of a range",
    text: /^WITH ended AS \( SELECT ended\.id/,
    reason: "sums the jobs and charges of the days of the range, within the limit of jobs",
  },
  {
    name: "jobs in the operators' console",
    text: /^(?:SELECT g\.id, g\.mode|WITH job AS MATERIALIZED|SELECT \w+ AS id FROM mark_file)/,
    perRow: 150,
    most: 200,
    reason: "jobs with their renders, files and events; small tables are scanned for each",
  },
  {
    name: "the jobs of a request in the operators' console",
    text: /^SELECT id FROM \( SELECT generation_id AS id FROM generation_search/,
    reason:
      "reads the index of the search terms, or a small table whose index waits for a vacuum; the test of findJobs checks it",
  },
  {
    name: "accounts in the operators' console",
    text: /^SELECT account\.id, name, external_id AS "externalId"/,
    most: 41_000,
    reason:
      "sums the charges of 30 days: at most 20,000 of the account of a page, and 500 of each account of a list",
  },
  {
    name: "the calls of an hour in the operators' console",
    text: /^SELECT provider, count\(\*\)::int AS calls/,
    most: 5_000,
    reason: "the newest 5,000 of all providers",
  },
  {
    name: "metrics of the whole installation",
    text: /^WITH states AS/,
    reason:
      "compares all balances with the sum of deposits, of which it reads each once per process",
  },
  {
    name: "the cleaning of events and deliveries",
    text: /^DELETE FROM (?:event|webhook_delivery) /,
    most: 5_000,
    reason: "looks at the oldest 1,000, once a minute",
  },
  {
    name: "the mean time of renders",
    text: /^SELECT lane, avg\(/,
    most: 4_000,
    reason: "the calls of the last ten minutes, at most 2,000, with their renders",
  },
];

/** Statements of the queue, whose tables have no history, and of the test itself. */
const ignoredApplications = ["atelier-queue", "test"];

/** Lists the statements that read more rows than they may, each with the highest number. */
export function findCostly(statements: readonly LoggedStatement[]): string[] {
  const worst = new Map<string, number>();
  for (const { application, text, rowsRead, rowsReturned } of statements) {
    if (ignoredApplications.includes(application)) continue;
    const { perRow = 1, most } = exceptions.find((known) => known.text.test(text)) ?? {
      most: free,
    };
    if (rowsRead <= rowsReturned * perRow + (most ?? Infinity)) continue;
    worst.set(text, Math.max(worst.get(text) ?? 0, Math.round(rowsRead - rowsReturned)));
  }
  return [...worst].map(([text, rows]) => `${rows} rows more than it returns: ${text}`);
}
