/** What a run measured, as it was measured: one value for each round, or as a comment says. */
export interface BenchResults {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly options: BenchOptions;
  readonly parts: Partial<Parts>;
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** Of the last minute before the run: other things that the machine did. */
  readonly loadBefore: number;
  readonly node: string;
  readonly postgres: string;
  readonly queues: readonly string[];
}

export interface BenchOptions {
  readonly rounds: number;
  /** How long each measurement of a rate takes. */
  readonly seconds: number;
  /** Generations in the large table. */
  readonly history: number;
}

/** The parts of the benchmark, by the names that choose them. */
export interface Parts {
  /** Of every image, in ms. */
  readonly overhead: readonly { readonly queue: string; readonly overheadMs: readonly number[] }[];
  readonly throughput: {
    readonly cores: number;
    readonly concurrency: number;
    readonly boundPerSecond: readonly number[];
    readonly queues: readonly { readonly queue: string; readonly perSecond: readonly number[] }[];
  };
  readonly workers: {
    readonly providerSeconds: number;
    readonly queues: readonly {
      readonly queue: string;
      readonly rates: readonly {
        readonly workers: number;
        readonly perSecond: readonly number[];
      }[];
    }[];
  };
  readonly accept: {
    readonly connections: number;
    readonly queues: readonly ({ readonly queue: string } & Compared)[];
  };
  readonly reads: { readonly connections: number } & Compared;
  readonly lists: {
    readonly small: number;
    readonly large: number;
    readonly accounts: number;
    readonly fillSeconds: number;
    readonly operations: readonly {
      readonly name: string;
      readonly small: Latencies;
      readonly large: Latencies;
    }[];
  };
  readonly memory: {
    readonly concurrency: number;
    readonly measured: readonly {
      readonly queue: string;
      /** In which the worker marks. */
      readonly threads: number;
      readonly worker: Memory;
      readonly api: Memory;
    }[];
  };
}

export type PartName = keyof Parts;

/** Requests per second. */
export interface Compared {
  readonly service: readonly number[];
  readonly bare: readonly number[];
}

export interface Latencies {
  readonly medianMs: readonly number[];
  readonly p95Ms: readonly number[];
}

/** Resident memory of a process, in MB of 10^6 bytes. */
export interface Memory {
  readonly startedMb: number;
  readonly peakMb: number;
  readonly afterMb: number;
}
