import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The labels of a metric, each with the values of the series that begin at zero. */
type Labels<Label extends string> = Readonly<Record<Label, readonly string[]>>;

/**
 * Creates metrics in the registers. A counter that starts at 1 shows no increase to Prometheus, so the series
 * that are known begin at zero.
 */
export function createMeter(registers: Registry[]) {
  const settings = <Label extends string>(name: string, help: string, labels: Labels<Label>) => ({
    name,
    help,
    labelNames: Object.keys(labels) as Label[],
    registers,
  });
  return {
    counter: <Label extends string = never>(
      name: string,
      help: string,
      labels = {} as Labels<Label>,
    ): Counter<Label> => {
      const counter = new Counter(settings(name, help, labels));
      for (const series of combine(labels)) counter.inc(series, 0);
      return counter;
    },
    gauge: <Label extends string = never>(
      name: string,
      help: string,
      labels = {} as Labels<Label>,
    ): Gauge<Label> => new Gauge(settings(name, help, labels)),
    histogram: <Label extends string>(
      name: string,
      help: string,
      buckets: number[],
      labels: Labels<Label>,
    ): Histogram<Label> => {
      const histogram = new Histogram({ ...settings(name, help, labels), buckets });
      for (const series of combine(labels)) histogram.zero(series);
      return histogram;
    },
  };
}

export type Meter = ReturnType<typeof createMeter>;

/** Returns all combinations of the values; none if a label has no values. */
function combine<Label extends string>(labels: Labels<Label>): Record<Label, string>[] {
  return Object.entries<readonly string[]>(labels).reduce<Record<string, string>[]>(
    (series, [label, values]) =>
      series.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}
