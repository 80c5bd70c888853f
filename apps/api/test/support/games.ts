import { startStack, type Stack } from "@atelier/testing";
import * as fc from "fast-check";
import { inject } from "vitest";

/** Starts a service for games of many requests, which no limit of requests ends. */
export function startForGames(): Promise<Stack> {
  const limit = "100000";
  return startStack({
    postgresUrl: inject("postgresUrl"),
    workers: 0,
    environment: {
      FAILED_AUTHENTICATIONS_PER_MINUTE: limit,
      OTHER_REQUESTS_PER_MINUTE: limit,
      // No worker runs here, so that waiting requests receive 202.
      MAX_WAIT_SECONDS: "0.01",
    },
  });
}

/** Numbers with which a step chooses among what exists when it runs. */
export const pick = fc.noBias(fc.nat({ max: 99 }));

/** Chooses an item by a number of `pick`. */
export function choose<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("there is nothing to choose");
  return item;
}
