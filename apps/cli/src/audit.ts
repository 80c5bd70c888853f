import { auditDatabase, auditImages, type Finding } from "@atelier/audit";
import { opening, type Environment } from "@atelier/configuration";
import { createDatabase, type Sql } from "@atelier/database";
import { createStorage } from "@atelier/storage";
import type { Answer } from "./answer.ts";
import { findConnection } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";

/** Large tables take their time, and nobody waits for the answer but the operator. */
const statementTimeoutMs = 600_000;

/**
 * Holds the live database to the invariants, and the storage to what is recorded of every image.
 *
 * @param hashShare the part of the images that are read and hashed; of the others, only that they are
 *   there and how large they are is looked at.
 */
export async function audit(
  environment: Environment,
  hashShare: number,
  remark: (line: string) => void,
): Promise<Answer> {
  const { databaseUrl, storageUrl } = await findConnection(environment);
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: "atelier-audit",
    statementTimeoutMs,
  });
  try {
    const findings = [...(await auditDatabase(database, ({ invariant }) => remark(invariant)))];
    if (storageUrl !== null) findings.push(await auditStored(database, storageUrl, hashShare));
    return present(findings, storageUrl === null);
  } finally {
    await database.close();
  }
}

async function auditStored(sql: Sql, storageUrl: string, hashShare: number): Promise<Finding> {
  const storage = await opening(
    "STORAGE_URL",
    createStorage({
      url: storageUrl,
      // A new and empty one would have lost every image.
      mustExist: true,
      // Nothing is signed here.
      publicUrl: "http://localhost",
      signingSecret: "x".repeat(32),
    }),
  );
  try {
    return await auditImages(sql, storage, hashShare);
  } finally {
    await storage.close();
  }
}

function present(findings: readonly Finding[], withoutStorage: boolean): Answer {
  const broken = findings.filter(({ violations }) => violations > 0);
  const lines = findings.flatMap(({ invariant, checked, violations, examples }) => [
    `${violations === 0 ? "holds " : "BROKEN"}  ${String(checked).padStart(9)}  ${invariant}`,
    ...(violations === 0 ? [] : [`        ${violations} violations, such as:`]),
    ...examples.map((example) => `        ${JSON.stringify(example)}`),
  ]);
  const conclusion =
    broken.length === 0
      ? "Everything holds."
      : `${broken.length} of ${findings.length} are broken: see docs/operations.md, "When the audit fails".`;
  return {
    json: { ok: broken.length === 0, findings },
    text: [...lines, "", conclusion].join("\n"),
    ...(withoutStorage
      ? { note: "Images were left out: set STORAGE_URL to have them checked." }
      : {}),
    exitCode: broken.length === 0 ? exitCodes.done : exitCodes.failed,
  };
}
