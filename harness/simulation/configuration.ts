/** An installation on this machine, and its load: what is measured and simulated. */
export interface Configuration {
  readonly name: string;
  /** Edge of the images in pixels. */
  readonly edge: 64 | 1_024;
  /** Time that the provider takes. */
  readonly providerMs: number;
  /** Clients that each wait for their image before they request the next one. */
  readonly clients: number;
  /** The clients share them evenly. */
  readonly accounts: number;
  readonly workers: number;
  /** Images in progress in each worker. */
  readonly concurrency: number;
  /** Threads of each worker that mark images. */
  readonly threads: number;
  /** Time that a commit takes more than on this machine's disk. */
  readonly commitDelayMs: number;
}

const small = {
  edge: 64,
  providerMs: 0,
  clients: 32,
  accounts: 16,
  workers: 1,
  concurrency: 32,
  threads: 2,
  commitDelayMs: 0,
} as const;

const large = {
  ...small,
  edge: 1_024,
  clients: 8,
  accounts: 1,
  concurrency: 4,
} as const;

/** The simulation's times are taken from these. */
export const fitted = {
  alone: { ...small, name: "small images, one client", clients: 1, accounts: 1 },
  small: { ...small, name: "small images, 32 clients" },
  large: { ...large, name: "large images, 8 clients" },
  oneThread: { ...large, name: "large images, one thread", threads: 1 },
} satisfies Readonly<Record<string, Configuration>>;

/** The simulation is compared with these. */
export const compared: readonly Configuration[] = [
  { ...small, name: "small images, 32 clients of one account", accounts: 1 },
  {
    ...small,
    name: "small images, 4 clients, commits of 20 ms",
    clients: 4,
    accounts: 4,
    commitDelayMs: 20,
  },
  {
    ...small,
    name: "small images, 16 clients of one account, commits of 20 ms",
    clients: 16,
    accounts: 1,
    commitDelayMs: 20,
  },
  {
    ...small,
    name: "small images, 4 workers, provider of 300 ms",
    providerMs: 300,
    workers: 4,
    concurrency: 2,
    threads: 1,
    clients: 16,
  },
  {
    ...large,
    name: "large images, 2 workers, provider of 500 ms, 6 clients",
    providerMs: 500,
    workers: 2,
    threads: 1,
    clients: 6,
  },
  { ...large, name: "large images, one client", clients: 1 },
];
