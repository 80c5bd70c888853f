import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "@atelier/database";
import {
  countRowsRead,
  createDatabaseFromTemplate,
  freePorts,
  startEmbeddedPostgres,
  templateName,
  type PlanNode,
} from "@atelier/local-services";

/** A statement that a program ran, with its executed plan. */
export interface LoggedStatement {
  /** `application_name` of its connection. */
  readonly application: string;
  readonly text: string;
  readonly rowsReturned: number;
  /** Rows that it read from tables, also those that a filter discarded. */
  readonly rowsRead: number;
  readonly plan: PlanNode;
}

/** A Postgres that logs the executed plan of every statement, also of those within functions. */
export interface ExplainingPostgres {
  readonly url: string;
  /** Position in the log, for `readStatements`. */
  position(): Promise<number>;
  /** Reads the statements that ended since a position in the log. */
  readStatements(since: number): Promise<readonly LoggedStatement[]>;
  stop(): Promise<void>;
}

const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  log_line_prefix: "%a ",
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
};

/** Starts the server, with the template of `createTestDatabase`. */
export async function startExplainingPostgres(): Promise<ExplainingPostgres> {
  const directory = await mkdtemp(join(tmpdir(), "atelier-explaining-postgres-"));
  const [port = 0] = await freePorts(1);
  const server = await startEmbeddedPostgres({ directory, port, password: "test", settings });
  const url = server.url("postgres");
  await createDatabaseFromTemplate(url, templateName, "template0");
  await applyMigrations(server.url(templateName));
  const log = join(directory, "postgres.log");
  return {
    url,
    position: async () => (await stat(log)).size,
    async readStatements(since) {
      const file = await open(log);
      try {
        const bytes = Buffer.alloc((await file.stat()).size - since);
        await file.read(bytes, 0, bytes.length, since);
        return parseStatements(bytes.toString());
      } finally {
        await file.close();
      }
    },
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** An entry of `auto_explain`: Postgres begins each further line of an entry with a tab. */
const entry = /^(\S*) LOG: {2}duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/gm;

function parseStatements(log: string): LoggedStatement[] {
  return [...log.matchAll(entry)].flatMap(([, application = "", json = ""]) => {
    const logged = readEntry(json);
    if (logged === null) return [];
    const { "Query Text": text, Plan: plan } = logged;
    return {
      application,
      text: text.replaceAll(/\s+/g, " ").trim(),
      rowsReturned: plan["Actual Rows"] * plan["Actual Loops"],
      rowsRead: countRowsRead(plan),
      plan,
    };
  });
}

interface Entry {
  readonly "Query Text": string;
  readonly Plan: PlanNode;
}

/** Null for an entry that another process has written into: Postgres writes 4 kB at once. */
function readEntry(json: string): Entry | null {
  try {
    return JSON.parse(json.replaceAll("\n\t", "\n")) as Entry;
  } catch {
    return null;
  }
}
