import pg from "pg";

export const templateName = "atelier_test_template";

export interface TestDatabase {
  readonly url: string;
  /** Terminates all connections and drops the database. */
  drop(): Promise<void>;
}

/** A migrated, empty database of its own for one test file, cloned from a template in milliseconds. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `atelier_test_${crypto.randomUUID().replaceAll("-", "")}`;
  await onServer(serverUrl, `CREATE DATABASE "${name}" TEMPLATE "${templateName}"`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => onServer(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`),
  };
}

/** Creates a database from a template, replacing one that an earlier run left behind. */
export async function createDatabaseFromTemplate(
  serverUrl: string,
  name: string,
  template: string,
): Promise<void> {
  await onServer(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  await onServer(serverUrl, `CREATE DATABASE "${name}" TEMPLATE "${template}"`);
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
