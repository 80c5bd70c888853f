import type { BenchResults, Compared, PartName, Parts, StreamCost } from "./results.ts";
import { median, percentile } from "../shared/statistics.ts";
import { drawBars, drawLines } from "./svg-chart.ts";

/** One part of the benchmark as a section of the report. */
export interface Section {
  readonly name: PartName;
  readonly title: string;
  /** The method, as Markdown. */
  readonly method: string;
  /** The results as a Markdown table. */
  readonly table: string;
  /** One sentence with the most important figure. */
  readonly verdict: string;
  /** The chart, as an SVG document. */
  readonly chart: string;
}

/** Returns a section for each measured part. */
export function describeSections({ options, parts }: BenchResults): readonly Section[] {
  const { overhead, throughput, gateway, workers, accept, reads, lists, memory, streams } = parts;
  return [
    overhead && describeOverhead(overhead),
    throughput && describeThroughput(throughput, options.seconds),
    gateway && describeGateway(gateway, options.seconds),
    workers && describeWorkers(workers, options.seconds),
    accept && describeAccept(accept),
    reads && describeReads(reads),
    lists && describeLists(lists),
    memory && describeMemory(memory, options.seconds * options.rounds),
    streams && describeStreams(streams),
  ].filter((section) => section !== undefined);
}

/** Formats all results as text, for the output of a run. */
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
    title: "Service overhead per image",
    method:
      "Images of 1024 × 1024, one after another, from a provider that responds at once, with a watermark, an entry in the registry and a webhook for each. The overhead is the request's duration in the API's log, from its first byte to the end of its response, minus the worker's unavoidable steps: the model, marking (watermark, three formats and a thumbnail, hashes, signatures and their verification) and storing. The client's time is not included. The overhead consists of authentication, limits, validation, moderation, the hold, the queue, the claim, settlement, and notifying the waiting request.",
    table: drawTable(
      ["Queue", "Median", "p95", "Images"],
      rows.map(({ queue, middle, p95, images }) => [queue, ms(middle), ms(p95), String(images)]),
    ),
    verdict: `The service adds ${rows.map(({ queue, middle }) => `${ms(middle)} (${queue})`).join(" and ")} at the median. The target is 8 ms on Redis and 30 ms on Postgres.`,
    chart: drawBars(
      "Overhead per image, median in ms",
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
    method: `One worker with one signing thread per core (${cores}) and ${concurrency} concurrent images, a provider that responds at once, and twice as many waiting requests; each image has a watermark, an entry in the registry, a thumbnail and a webhook; ${seconds} s per round. The bound is one process per core with the same total concurrency that only marks the same image: watermark, three formats and a thumbnail, hashes, signatures and their verification. API, database, queue and client share the cores with the workers.`,
    table: drawTable(
      ["", "Images/s", "Of the bound"],
      rows.map(({ name, rate }) => [name, rate.toFixed(1), percent(rate / bound)]),
    ),
    verdict: `The service makes ${rows
      .filter(({ reference }) => !reference)
      .map(({ name, rate }) => `${percent(rate / bound)} (${name})`)
      .join(" and ")} of the bound. The target is 85 %.`,
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

function describeWorkers(
  { providerSeconds, queues }: Parts["workers"],
  imagesPerWorker: number,
): Section {
  const rows = queues.flatMap(({ queue, rates }) => {
    const [one = Number.NaN] = rates.map(({ perSecond }) => median(perSecond));
    return rates.map(({ workers, perSecond }) => {
      const rate = median(perSecond);
      return { queue, workers, rate, efficiency: rate / (one * workers) };
    });
  });
  const maxWorkers = Math.max(...rows.map(({ workers }) => workers));
  const last = rows.filter(({ workers }) => workers === maxWorkers);
  const counts = [...new Set(rows.map(({ workers }) => workers))];
  return {
    name: "workers",
    title: "Scaling with workers",
    method: `A provider that takes ${providerSeconds} s, one image at a time per worker, images of 64 × 64 so that the cores are not the limit, and twice as many waiting requests as workers. The rate is measured over ${imagesPerWorker} images per worker once all are busy. Efficiency is the rate divided by the number of workers times the rate of one worker.`,
    table: drawTable(
      ["Queue", "Workers", "Images/s", "Efficiency"],
      rows.map(({ queue, workers, rate, efficiency }) => [
        queue,
        String(workers),
        rate.toFixed(2),
        efficiency.toFixed(2),
      ]),
    ),
    verdict: `Efficiency with ${maxWorkers} workers: ${last.map(({ queue, efficiency }) => `${efficiency.toFixed(2)} (${queue})`).join(", ")}. The target is 0.9.`,
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

function describeGateway(measured: Parts["gateway"], seconds: number): Section {
  const { version, concurrency } = measured;
  const passed = median(measured.gateway);
  const rows = [
    { name: "gateway", rate: passed, reference: true },
    { name: "service, three formats", rate: median(measured.allFormats), reference: false },
    { name: "service, PNG only", rate: median(measured.oneFormat), reference: false },
  ];
  const [, all, one] = rows.map(({ rate }) => percent(rate / passed));
  return {
    name: "gateway",
    title: "Beside a gateway",
    method: `An engine in a process of its own answers each request at once with the same PNG of 1024 × 1024 (2.2 MB) as base64. \`@portkey-ai/gateway\` ${version} (published on 2026-08-23) passes the request and the answer through. It keeps no account, price, job, retry after a crash or file, and moderates and marks nothing. The service does all of that, with one worker, one signing thread per core and ${concurrency} concurrent images, and its queue in Postgres. Clients wait on twice as many connections and receive the image as base64 from both; ${seconds} s per round.`,
    table: drawTable(
      ["", "Images/s", "Of the gateway"],
      rows.map(({ name, rate }) => [name, rate.toFixed(1), percent(rate / passed)]),
    ),
    verdict: `The service makes ${all} of the images per second that the gateway passes through, and ${one} with one format. The target is 85 % and 100 %.`,
    chart: drawBars(
      "Images per second in front of the same engine",
      rows.map(({ name, rate, reference }) => ({
        label: name,
        value: rate,
        text: rate.toFixed(1),
        reference,
      })),
    ),
  };
}

function describeAccept({ connections, queues }: Parts["accept"]): Section {
  return {
    name: "accept",
    title: "Accepting stories",
    method: `Stories of one character and three scenes, over ${connections} connections with one account each, without a worker. The bare handler is an Express handler that reads the same body, adds it to a BullMQ queue and responds, without keys, validation, moderation, money or a record of the job. Both respond when the job is in the same Redis or Postgres; the service has also committed it to Postgres.`,
    ...compare(
      "stories",
      "bare handler",
      "The target is 20 % on Redis and 35 % on Postgres; [decision 025](../decisions/025-one-statement-per-step.md) says what accepting costs.",
      queues.map(({ queue, ...rates }) => ({ name: queue, ...rates })),
    ),
  };
}

function describeReads({ connections, list, ...job }: Parts["reads"]): Section {
  return {
    name: "reads",
    title: "Reading jobs",
    method: `Random completed images among 10,000 of 50 accounts with one key each, and the newest 20 of an account, over ${connections} connections. Each job has three signed URLs. The bare handler is an Express handler that selects the same rows of the same table with \`pg\` and returns them as JSON.`,
    ...compare("responses", "bare handler", "The target is 60 % for a job and 50 % for a list.", [
      { name: "a job", ...job },
      ...(list === undefined ? [] : [{ name: "a list", ...list }]),
    ]),
  };
}

function compare(
  subject: string,
  other: string,
  target: string,
  pairs: readonly ({ readonly name: string } & Compared)[],
): Pick<Section, "table" | "verdict" | "chart"> {
  const rows = pairs.map(({ name, service, bare }) => {
    const [ours, theirs] = [median(service), median(bare)];
    return { name, ours, theirs, share: ours / theirs };
  });
  return {
    table: drawTable(
      ["", `Service, ${subject}/s`, `Bare handler, ${subject}/s`, "Ratio"],
      rows.map(({ name, ours, theirs, share }) => [
        name,
        ours.toFixed(0),
        theirs.toFixed(0),
        percent(share),
      ]),
    ),
    verdict: `${rows.map(({ name, share }) => `${percent(share)} (${name})`).join(" and ")} of the ${other}. ${target}`,
    chart: drawBars(
      `${subject[0]?.toUpperCase()}${subject.slice(1)} per second`,
      rows.flatMap(({ name, ours, theirs }) => [
        { label: `${other}, ${name}`, value: theirs, text: theirs.toFixed(0), reference: true },
        { label: `service, ${name}`, value: ours, text: ours.toFixed(0) },
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
    method: `The same requests against two databases with ${small} and with ${large} completed generations of ${lists.accounts} accounts each, with all their rows. Requests alternate between the databases, one at a time, so that both see the same noise. Each request is for another account and another job from the whole table. The table shows the medians of the rounds' median and p95.`,
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
    verdict: `The largest ratio of p95 is ${Math.max(...rows.map(({ ratio }) => ratio)).toFixed(2)}. The target is at most 1.3.`,
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
    ([threads, sampleRows]) =>
      `${mb(Math.max(...sampleRows.map(({ worker }) => worker.peakMb)))} (${inThreads(threads)})`,
  );
  return {
    name: "memory",
    title: "Memory",
    method: `Resident memory reported by the kernel (MB of 10⁶ bytes) during ${seconds} s with ${concurrency} concurrent images of 1024 × 1024 in one worker, with one signing thread or one per core, and ${concurrency * 2} waiting requests at the API: after the start, at the peak, and 5 s after the last image. The provider runs in the worker's process.`,
    table: drawTable(
      ["Process", "Started", "Peak", "After"],
      rows.map(({ name, memory: { startedMb, peakMb, afterMb } }) => [
        name,
        mb(startedMb),
        mb(peakMb),
        mb(afterMb),
      ]),
    ),
    verdict: `A worker's peak is ${peaks.join(", ")}. The target is under 300 MB.`,
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

function describeStreams(measured: Parts["streams"]): Section {
  const { oneStream, allStreams, latenciesMs } = measured;
  const count = thousands(measured.streams);
  const growthMb = allStreams.memoryMb - oneStream.memoryMb;
  const shares = [
    ["median", median(latenciesMs)],
    ["p95", percentile(latenciesMs, 0.95)],
    ["longest", Math.max(...latenciesMs)],
  ] as const;
  const row = (name: string, write: (cost: StreamCost) => string) => [
    name,
    write(oneStream),
    write(allStreams),
  ];
  return {
    name: "streams",
    title: "Event streams",
    method: `One API process with one open event stream, and then with ${count} of ${measured.accounts} accounts: half of them follow an account, half a pending job. Each value is taken while no job changes, at least 20 s after the last stream was opened, so that each has received a heartbeat. Memory is the resident memory of the API, in MB of 10⁶ bytes; connections are those of the API to Postgres; transactions are those of API and worker. A \`NOTIFY\` or a read for each stream would show in the transactions. Then, with all streams open, ${latenciesMs.length} images of stories are watched with \`jobs.watch\` of the client. The latency of an image is the time from the start of the transaction that completed it, shortly before its commit, to the arrival of its event.`,
    table: [
      drawTable(
        ["", "1 stream", `${count} streams`],
        [
          row("Memory", ({ memoryMb }) => mb(memoryMb)),
          row("Peak of memory", ({ peakMb }) => mb(peakMb)),
          row("Database connections", ({ connections }) => String(connections)),
          row("Transactions/s", ({ transactionsPerSecond: rate }) => rate.toFixed(1)),
        ],
      ),
      drawTable(
        ["Latency", "From commit to arrival"],
        shares.map(([name, value]) => [name, ms(value)]),
      ),
    ].join("\n\n"),
    verdict: `${count} streams use ${mb(growthMb)} more memory than one, and ${allStreams.connections} database connections instead of ${oneStream.connections}. The target is under 60 MB and no connection more. An image arrives ${ms(median(latenciesMs))} after its commit at the median; the target is 300 ms.`,
    chart: drawBars("From the commit of an image to the arrival of its event, in ms", [
      ...shares.map(([label, value]) => ({ label, value, text: ms(value) })),
      { label: "target of the median", value: 300, text: ms(300), reference: true },
    ]),
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
