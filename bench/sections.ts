import type { BenchResults, Compared, PartName, Parts } from "./results.ts";
import { median, percentile } from "./statistics.ts";
import { drawBars, drawLines } from "./svg-chart.ts";

/** One part of the benchmark, told to readers. */
export interface Section {
  readonly name: PartName;
  readonly title: string;
  /** How it was measured, as Markdown. */
  readonly method: string;
  /** What came of it, as a Markdown table. */
  readonly table: string;
  /** One sentence with the figure that counts. */
  readonly verdict: string;
  /** As an SVG document. */
  readonly chart: string;
}

/** A section for each part that was measured. */
export function describeSections({ options, parts }: BenchResults): readonly Section[] {
  const { overhead, throughput, workers, accept, reads, lists, memory } = parts;
  return [
    overhead && describeOverhead(overhead),
    throughput && describeThroughput(throughput, options.seconds),
    workers && describeWorkers(workers, options.seconds),
    accept && describeAccept(accept),
    reads && describeReads(reads),
    lists && describeLists(lists),
    memory && describeMemory(memory, options.seconds * options.rounds),
  ].filter((section) => section !== undefined);
}

/** All of it as text: what a run prints. */
export function describeParts(results: BenchResults): string {
  return describeSections(results)
    .map(({ title, table, verdict }) => `\n${title}\n\n${table}\n\n${verdict}`)
    .join("\n");
}

function describeOverhead(overhead: Parts["overhead"]): Section {
  const rows = overhead.map(({ queue, overheadMs }) => ({
    queue,
    middle: median(overheadMs),
    p95: percentile(overheadMs, 0.95),
    images: overheadMs.length,
  }));
  return {
    name: "overhead",
    title: "What the service adds to an image",
    method:
      "One image after another, 1024 × 1024, from a provider that answers at once. The time of the request as the API logs it, from its first byte to the end of its answer, less the worker's steps that no service could leave out: the model, marking (encoding three formats, hashing, signing, verifying) and storing. The client's own time is not in it. What is left is authentication, limits, validation, moderation, the hold on the balance, the queue, the claim, settling, and telling the waiting request.",
    table: drawTable(
      ["Queue", "Median", "p95", "Images"],
      rows.map(({ queue, middle, p95, images }) => [queue, ms(middle), ms(p95), String(images)]),
    ),
    verdict: `The service adds ${rows.map(({ queue, middle }) => `${ms(middle)} (${queue})`).join(" and ")} at the median. The aim is 8 ms on Redis and 30 ms on Postgres.`,
    chart: drawBars(
      "Added to an image, median in ms",
      rows.map(({ queue, middle }) => ({ label: queue, value: middle, text: ms(middle) })),
    ),
  };
}

function describeThroughput(throughput: Parts["throughput"], seconds: number): Section {
  const { cores, concurrency, boundPerSecond, queues } = throughput;
  const bound = median(boundPerSecond);
  const rows = [
    { name: "bound", rate: bound, reference: true },
    ...queues.map(({ queue, perSecond }) => ({
      name: queue,
      rate: median(perSecond),
      reference: false,
    })),
  ];
  return {
    name: "throughput",
    title: "Images per second",
    method: `One worker, which marks in as many threads as there are cores (${cores}), with ${concurrency} images under way, from a provider that answers at once, and twice as many requests waiting; ${seconds} s a round. The bound is a process for each core, together with as many images under way, that do nothing but encode 1024 × 1024 in three formats, hash, sign and verify. API, database, queue and client run on the same cores as the workers.`,
    table: drawTable(
      ["", "Images/s", "Of the bound"],
      rows.map(({ name, rate }) => [name, rate.toFixed(1), percent(rate / bound)]),
    ),
    verdict: `The service makes ${rows
      .filter(({ reference }) => !reference)
      .map(({ name, rate }) => `${percent(rate / bound)} (${name})`)
      .join(" and ")} of what the bound allows. The aim is 85 %.`,
    chart: drawBars(
      "Images per second, 1024 × 1024 in three formats",
      rows.map(({ name, rate, reference }) => ({
        label: name,
        value: rate,
        text: rate.toFixed(1),
        reference,
      })),
    ),
  };
}

function describeWorkers({ providerSeconds, queues }: Parts["workers"], turns: number): Section {
  const rows = queues.flatMap(({ queue, rates }) => {
    const [one = Number.NaN] = rates.map(({ perSecond }) => median(perSecond));
    return rates.map(({ workers, perSecond }) => {
      const rate = median(perSecond);
      return { queue, workers, rate, efficiency: rate / (one * workers) };
    });
  });
  const most = Math.max(...rows.map(({ workers }) => workers));
  const last = rows.filter(({ workers }) => workers === most);
  const counts = [...new Set(rows.map(({ workers }) => workers))];
  return {
    name: "workers",
    title: "More workers",
    method: `A provider that takes ${providerSeconds} s, one image at a time in each worker, images of 64 × 64 so that the cores are not the limit, and twice as many requests waiting as workers. The rate is taken over ${turns} whole turns of all workers once they are busy. Efficiency is the rate over that of one worker, times the number of workers.`,
    table: drawTable(
      ["Queue", "Workers", "Images/s", "Efficiency"],
      rows.map(({ queue, workers, rate, efficiency }) => [
        queue,
        String(workers),
        rate.toFixed(2),
        efficiency.toFixed(2),
      ]),
    ),
    verdict: `Efficiency with ${most} workers: ${last.map(({ queue, efficiency }) => `${efficiency.toFixed(2)} (${queue})`).join(", ")}. The aim is 0.9.`,
    chart: drawLines("Images per second by workers", { x: "workers", y: "images/s" }, [
      {
        name: "linear",
        points: counts.map((count) => [count, count / providerSeconds]),
        reference: true,
      },
      ...queues.map(({ queue }) => ({
        name: queue,
        points: rows
          .filter((row) => row.queue === queue)
          .map(({ workers, rate }) => [workers, rate] as const),
      })),
    ]),
  };
}

function describeAccept({ connections, queues }: Parts["accept"]): Section {
  return {
    name: "accept",
    title: "Accepting stories",
    method: `Stories of one character and three scenes, over ${connections} connections with an account each, and no worker. Beside it an Express handler that reads the same body, adds it to a BullMQ queue and answers: no keys, no checks, no moderation, no money, no record of the job. Both answer once what they took is in the same Redis or Postgres; the service has committed it to Postgres as well.`,
    ...compare("stories", "bare handler", "The aim is 50 %.", queues),
  };
}

function describeReads({ connections, ...compared }: Parts["reads"]): Section {
  return {
    name: "reads",
    title: "Reading jobs",
    method: `Completed images of 50 accounts with a key each, picked at random among 10,000, over ${connections} connections. The answer carries three signed URLs. Beside it an Express handler that selects one row of the same table by its id through \`pg\` and sends it as JSON.`,
    ...compare("jobs", "bare handler", "The aim is 60 %.", [{ queue: "Postgres", ...compared }]),
  };
}

function compare(
  what: string,
  other: string,
  aim: string,
  pairs: readonly ({ readonly queue: string } & Compared)[],
): Pick<Section, "table" | "verdict" | "chart"> {
  const rows = pairs.map(({ queue, service, bare }) => {
    const [ours, theirs] = [median(service), median(bare)];
    return { queue, ours, theirs, share: ours / theirs };
  });
  return {
    table: drawTable(
      ["", `Service, ${what}/s`, `Bare handler, ${what}/s`, "Ratio"],
      rows.map(({ queue, ours, theirs, share }) => [
        queue,
        ours.toFixed(0),
        theirs.toFixed(0),
        percent(share),
      ]),
    ),
    verdict: `${rows.map(({ queue, share }) => `${percent(share)} (${queue})`).join(" and ")} of the ${other}. ${aim}`,
    chart: drawBars(
      `${what[0]?.toUpperCase()}${what.slice(1)} per second`,
      rows.flatMap(({ queue, ours, theirs }) => [
        { label: `${other}, ${queue}`, value: theirs, text: theirs.toFixed(0), reference: true },
        { label: `service, ${queue}`, value: ours, text: ours.toFixed(0) },
      ]),
    ),
  };
}

function describeLists(lists: Parts["lists"]): Section {
  const rows = lists.operations.map(({ name, small, large }) => ({
    name,
    smallMedian: median(small.medianMs),
    smallP95: median(small.p95Ms),
    largeMedian: median(large.medianMs),
    largeP95: median(large.p95Ms),
    ratio: median(large.p95Ms) / median(small.p95Ms),
  }));
  const [small, large] = [thousands(lists.small), thousands(lists.large)];
  return {
    name: "lists",
    title: "Large tables",
    method: `The same requests against two databases with ${small} and with ${large} completed generations of ${lists.accounts} accounts each, with all the rows that they left behind; in turn, request by request, one at a time, so that both meet the same noise. Each asks as another account about another job from all over the table. Median and p95 of each round; the table shows the medians of the rounds.`,
    table: drawTable(
      ["", `Median, ${small}`, `Median, ${large}`, `p95, ${small}`, `p95, ${large}`, "p95 ratio"],
      rows.map((row) => [
        row.name,
        ms(row.smallMedian),
        ms(row.largeMedian),
        ms(row.smallP95),
        ms(row.largeP95),
        row.ratio.toFixed(2),
      ]),
    ),
    verdict: `The largest ratio of p95 is ${Math.max(...rows.map(({ ratio }) => ratio)).toFixed(2)}. The aim is 1.3 at most.`,
    chart: drawBars(
      "p95 in ms",
      rows.flatMap(({ name, smallP95, largeP95 }) => [
        { label: `${name}, ${small}`, value: smallP95, text: ms(smallP95), reference: true },
        { label: `${name}, ${large}`, value: largeP95, text: ms(largeP95) },
      ]),
    ),
  };
}

function describeMemory({ concurrency, measured }: Parts["memory"], seconds: number): Section {
  const rows = measured.flatMap(({ queue, threads, worker, api }) => [
    { name: `worker, ${queue}, ${inThreads(threads)}`, memory: worker },
    { name: `API, ${queue}`, memory: api },
  ]);
  const peaks = [...Map.groupBy(measured, ({ threads }) => threads)].map(
    ([threads, those]) =>
      `${mb(Math.max(...those.map(({ worker }) => worker.peakMb)))} (${inThreads(threads)})`,
  );
  return {
    name: "memory",
    title: "Memory",
    method: `Resident memory as the kernel accounts for it (MB of 10⁶ bytes), after ${seconds} s with ${concurrency} images of 1024 × 1024 under way in one worker, which marks in one thread or in one for each core, and ${concurrency * 2} requests waiting at the API; at the peak, and 5 s after the last image. The provider is in the worker's process.`,
    table: drawTable(
      ["Process", "Started", "Peak", "After"],
      rows.map(({ name, memory: { startedMb, peakMb, afterMb } }) => [
        name,
        mb(startedMb),
        mb(peakMb),
        mb(afterMb),
      ]),
    ),
    verdict: `A worker's peak is ${peaks.join(", ")}. The aim is under 300 MB.`,
    chart: drawBars(
      "Peak of resident memory",
      rows.map(({ name, memory }) => ({
        label: name,
        value: memory.peakMb,
        text: mb(memory.peakMb),
      })),
    ),
  };
}

function drawTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [lineOf(head), lineOf(head.map((_, index) => (index === 0 ? "---" : "--:")))]
    .concat(rows.map(lineOf))
    .join("\n");
}

const ms = (value: number) => `${value.toFixed(1)} ms`;
const mb = (value: number) => `${value.toFixed(0)} MB`;
const inThreads = (count: number) => (count === 1 ? "1 thread" : `${count} threads`);
const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
const thousands = (count: number) => count.toLocaleString("en-US");
