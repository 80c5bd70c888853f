import {
  beginKey,
  readHead,
  readOperatorLog,
  type KeyReason,
  type LoggedOperation,
} from "@atelier/audit";
import { UsageError, type Environment } from "@atelier/configuration";
import type { Database } from "@atelier/database";
import { table, type Answer } from "./answer.ts";
import { findConnection } from "./connection.ts";
import { readActor } from "./operators/record-commands.ts";

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

/**
 * Begins OPERATOR_LOG_KEY, with a line that says why.
 *
 * @throws UsageError without OPERATOR_LOG_KEY.
 */
export async function beginLogKey(
  database: Database,
  environment: Environment,
  reason: KeyReason,
): Promise<Answer> {
  const { operatorLogKey, oldOperatorLogKeys } = await findConnection(environment);
  if (operatorLogKey === null) {
    throw new UsageError("Set OPERATOR_LOG_KEY to the new key (openssl rand -base64 48).");
  }
  const keys = [operatorLogKey, ...oldOperatorLogKeys] as const;
  const { number, digest } = await beginKey(database, keys, { actor: readActor(), reason });
  const after = {
    lost: "The audit notes the lines before it that it cannot check.",
    rotated: "Keep the key before in OLD_OPERATOR_LOG_KEYS: the audit checks the lines before it.",
  } as const;
  return {
    json: { line: Number(number), reason, head: `${number}:${digest}` },
    text: `The operator log has this OPERATOR_LOG_KEY from line ${number} on. ${after[reason]}\n\nHead: ${number}:${digest}`,
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
