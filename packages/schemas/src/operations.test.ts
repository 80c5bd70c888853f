import { expect, it } from "vitest";
import { namesOf, operations } from "./operations.ts";

it.each(namesOf(operations))(
  "a request of the operation %s may say where its events are sent",
  (name) => {
    const { metadata, webhook_url, webhook_events } = operations[name].request.shape;
    expect([metadata, webhook_url, webhook_events]).not.toContain(undefined);
  },
);
