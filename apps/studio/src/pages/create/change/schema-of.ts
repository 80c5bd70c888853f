import { operations } from "@atelier/schemas";
import { toJSONSchema } from "zod/v4/core";
import type { Change } from "../changes.ts";

/** The JSON schema of the requests of an operation. Its code is large, so it is loaded when needed. */
export function schemaOf(operation: Change): object {
  return toJSONSchema(operations[operation].request, { io: "input" });
}
