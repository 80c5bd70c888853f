import { readHead, readOperatorLog, type LoggedOperation } from "@atelier/audit";
import type { Database } from "@atelier/database";
import { table, type Answer } from "./answer.ts";

/** Flags of `operator-log`. */
export interface OperatorLogFlags {
  readonly after?: string;
  readonly target?: string;
  readonly jsonLines?: true;
}

/** Prints the operator log, oldest lines first. */
export async function showOperatorLog(
  database: Database,
  { after, target, jsonLines }: OperatorLogFlags,
): Promise<Answer> {
  const lines: LoggedOperation[] = [];
  const from = { after: BigInt(after ?? 0), targetId: target ?? null };
  for await (const line of readOperatorLog(database, from)) lines.push(line);
  const head = await readHead(database);
  const asJson = lines.map(lineAsJson);
  const rows = lines.map((line) => [
    String(line.number),
    line.at.toISOString(),
    line.actor,
    line.action,
    line.targetId ?? "",
    line.fields.join(", "),
    line.values === null ? "" : JSON.stringify(line.values),
  ]);
  const headings = ["LINE", "TIME", "ACTOR", "ACTION", "TARGET", "FIELDS", "VALUES"];
  return {
    json: { lines: asJson, head: head && `${head.number}:${head.digest}` },
    text:
      jsonLines === true
        ? asJson.map((line) => JSON.stringify(line)).join("\n")
        : [
            table(headings, rows),
            ...(head === null ? [] : ["", `Head: ${head.number}:${head.digest}`]),
          ].join("\n"),
  };
}

function lineAsJson(line: LoggedOperation) {
  return {
    number: Number(line.number),
    at: line.at.toISOString(),
    actor: line.actor,
    action: line.action,
    target_id: line.targetId,
    fields: line.fields,
    request_id: line.requestId,
    values: line.values,
    sealed: line.isSealed,
    digest: line.digest,
  };
}
