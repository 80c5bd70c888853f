/** Raw results of a run: one value per round unless stated otherwise. */
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
  /** Load average of the last minute before the run, caused by other processes. */
  readonly loadBefore: number;
  readonly node: string;
  readonly postgres: string;
  readonly queues: readonly string[];
}

export interface BenchOptions {
  readonly rounds: number;
  /** Duration of each rate measurement. */
  readonly seconds: number;
  /** Generations in the large table. */
  readonly history: number;
}

/** The parts of the benchmark, by name. */
export interface Parts {
  /** Per image, in ms. */
  readonly overhead: readonly { readonly queue: string; readonly overheadMs: readonly number[] }[];
  readonly throughput: {
    readonly cores: number;
    readonly concurrency: number;
    readonly boundPerSecond: readonly number[];
    readonly queues: readonly { readonly queue: string; readonly perSecond: readonly number[] }[];
  };
  /** Images per second in front of the same engine. */
  readonly gateway: {
    /** Of `@portkey-ai/gateway`. */
    readonly version: string;
    /** Concurrent images of the worker. */
    readonly concurrency: number;
    readonly gateway: readonly number[];
    readonly allFormats: readonly number[];
    readonly oneFormat: readonly number[];
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
  /** One job, and lists of 20, which results before December 2026 do not have. */
  readonly reads: { readonly connections: number; readonly list?: Compared } & Compared;
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
      /** Marking threads of the worker. */
      readonly threads: number;
      readonly worker: Memory;
      readonly api: Memory;
    }[];
  };
  readonly streams: {
    readonly streams: number;
    readonly accounts: number;
    readonly oneStream: StreamCost;
    readonly allStreams: StreamCost;
    /** Of each image of the watched stories, from its commit to the arrival of its event. */
    readonly latenciesMs: readonly number[];
  };
}

export type PartName = keyof Parts;

/** Requests per second. */
export interface Compared {
  readonly service: readonly number[];
  readonly bare: readonly number[];
}

interface Latencies {
  readonly medianMs: readonly number[];
  readonly p95Ms: readonly number[];
}

/** Resources of an API process while event streams are open. */
export interface StreamCost {
  /** Resident memory, in MB of 10^6 bytes. */
  readonly memoryMb: number;
  readonly peakMb: number;
  /** Connections to the database. */
  readonly connections: number;
  /** Of the whole database. */
  readonly transactionsPerSecond: number;
}

/** Resident memory of a process, in MB of 10^6 bytes. */
export interface Memory {
  readonly startedMb: number;
  readonly peakMb: number;
  readonly afterMb: number;
}
