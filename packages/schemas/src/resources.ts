/** Things that an account has in a table of their own, named `singular`, and in `/v1/<name>`. */
interface Resource {
  readonly singular: string;
  /** How many an account may have with live keys and with test keys. */
  readonly live: number;
  readonly test: number;
  /** Of its tag in the document. */
  readonly description: string;
}

/** From these follow errors, quotas, tags of the document, and the erasure of an account. */
export const resources = {
  collections: {
    singular: "collection",
    live: 200,
    test: 40,
    description: "Jobs that the account put together.",
  },
  presets: {
    singular: "preset",
    live: 200,
    test: 40,
    description: "Properties of requests, saved under a name.",
  },
  shares: {
    singular: "share",
    live: 100,
    test: 0,
    description: "Links that show images to anyone who has them.",
  },
} as const satisfies Record<string, Resource>;

export type ResourceName = keyof typeof resources;
type Singular = (typeof resources)[ResourceName]["singular"];

const entries = Object.entries(resources) as [ResourceName, Resource & { singular: Singular }][];

/** The tables of resources, whose rows belong to the account in `account_id`. */
export const resourceTables = entries.map(([, { singular }]) => singular);

export const resourceTags = entries.map(([name, { description }]) => ({
  name: `${name[0]?.toUpperCase()}${name.slice(1)}`,
  description,
}));

/** The error of an id that no item has. */
export const notFoundErrors = Object.fromEntries(
  entries.map(([name, { singular }]) => [
    `${singular}_not_found`,
    {
      status: 404,
      summary: `There is no such ${singular}`,
      message: `There is no ${singular} with this id. GET /v1/${name} lists your ${name}.`,
      details: null,
    },
  ]),
) as Record<
  `${Singular}_not_found`,
  {
    readonly status: 404;
    readonly summary: string;
    readonly message: string;
    readonly details: null;
  }
>;

export const resourceQuotas = Object.fromEntries(
  entries.map(([name, { live, test }]) => [
    name,
    { of: name, live, test, freedBy: "deletion", error: "too_many_items" },
  ]),
) as {
  readonly [Name in ResourceName]: Pick<(typeof resources)[Name], "live" | "test"> & {
    readonly of: Name;
    readonly freedBy: "deletion";
    readonly error: "too_many_items";
  };
};
