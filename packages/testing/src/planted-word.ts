import { newId, type Database, type Sql } from "@atelier/database";

/** Lists all columns that can have text, as `table.column`, with the SQL that reads them as text. */
export async function listTextColumns(
  sql: Sql,
): Promise<readonly { name: string; table: string; text: string }[]> {
  return sql.query(
    `SELECT table_name || '.' || column_name AS name, quote_ident(table_name) AS table,
            CASE data_type WHEN 'bytea' THEN 'encode(' || quote_ident(column_name) || ', ''escape'')'
                           ELSE quote_ident(column_name) || '::text' END AS text
       FROM information_schema.columns JOIN pg_tables ON tablename = table_name AND schemaname = table_schema
      WHERE table_schema = 'public' AND table_name NOT LIKE '\\_%'
        AND data_type IN ('text', 'character', 'character varying', 'jsonb', 'json', 'bytea', 'ARRAY', 'tsvector')
        AND udt_name <> '_uuid'
      ORDER BY 1`,
  );
}

/** Finds the columns in which some row has a word. */
export async function findWord(sql: Sql, word: string): Promise<string[]> {
  const columns = await listTextColumns(sql);
  const found = await sql.query<{ name: string }>(
    columns
      .map(
        ({ name, table, text }) =>
          `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${table} WHERE ${text} ILIKE $1)`,
      )
      .join(" UNION ALL "),
    [`%${word}%`],
  );
  return found.map(({ name }) => name);
}

/**
 * Writes a word into every column of an account with jobs that can have words of a client.
 *
 * @returns the id of the rows that it adds.
 */
export async function plantWord(
  database: Database,
  accountId: string,
  word: string,
): Promise<string> {
  const id = newId();
  const plants = [
    `UPDATE account SET name = $2, external_id = $2 WHERE id = $1`,
    `INSERT INTO api_key (id, account_id, name, hash, last_four) VALUES ($4, $1, $2, uuid_send($4), 'test')`,
    `INSERT INTO member (id, account_id, key_id, name, email, role, issuer, subject)
     VALUES ($4, $1, $4, $2, $2, 'maker', $2, $2)`,
    `UPDATE generation SET request = request || $3, metadata = $3, title = $2, trace_parent = $2, answer_hash = $2::text::bytea,
            -- With a mark, it is not read.
            result = $3, marks = 4,
            error = jsonb_build_object('error', 'internal_error', 'message', $2::text, 'details', $3::jsonb)
      WHERE account_id = $1`,
    `UPDATE render SET spec = spec || $3, turn = $3, last_error = $3 FROM generation
      WHERE generation.id = generation_id AND account_id = $1`,
    `UPDATE provider_call SET request_id = $2 FROM render JOIN generation ON generation.id = generation_id
      WHERE render.id = render_id AND account_id = $1`,
    `UPDATE generation_search SET terms = to_tsvector('simple', $2) WHERE account_id = $1`,
    `INSERT INTO job_note (account_id, generation_id, title, starred, book)
     SELECT $1, id, $2, true, $3 FROM generation WHERE account_id = $1 LIMIT 1`,
    `INSERT INTO operator_log_values (number, account_id, salt, personal) VALUES (1, $1, '', $2)`,
    `INSERT INTO collection (id, account_id, mode, name, job_count) VALUES ($4, $1, 'live', $2, 0)`,
    `INSERT INTO preset (id, account_id, mode, name, operation, request, picture) VALUES ($4, $1, 'live', $2, 'image', $3, $2)`,
    `INSERT INTO budget (id, account_id, name, budget_micro_eur, budget_period) VALUES ($4, $1, $2, 1, 'day')`,
    `INSERT INTO studio_session (id, account_id, key_id, user_agent, expires_at)
     VALUES ($4, $1, $4, $2, now() + interval '1 hour')`,
    `INSERT INTO batch (id, account_id, key_id, lines_total, expires_at, waits_for, error, idempotency_key, webhook_url)
     VALUES ($4, $1, $4, 1, now() + interval '1 hour', $3, $3, $2, $2)`,
    `INSERT INTO request_part (owner_id, first_line, last_line, lines) VALUES ($4, 1, 1, $2::text::bytea)`,
    `INSERT INTO batch_refusal (batch_id, line, error) VALUES ($4, 1, $3)`,
    `INSERT INTO idempotency_key (account_id, key, request_hash, generation_id, answer_due_at)
     VALUES ($1, $2, '', $4, now())`,
    `INSERT INTO upload (id, account_id, key_id, size_bytes, idempotency_key, expires_at)
     VALUES ($4, $1, $4, 1, $2, now() + interval '1 hour')`,
    `INSERT INTO cast_member (id, account_id, key_id, mode, kind, name, description, looks, idempotency_key)
     VALUES ($4, $1, $4, 'live', 'character', $2, $2, jsonb_build_array($3::jsonb), $2)`,
    `INSERT INTO ledger_transfer (id, kind, account_id, reference) VALUES ($4, 'top_up', $1, $2)`,
    `INSERT INTO event (account_id, type, data) VALUES ($1, 'batch.completed', $3)`,
    `INSERT INTO webhook (id, account_id, url, events, secret, description) VALUES ($4, $1, $2, '{}', '', $2)`,
    `INSERT INTO generation_webhook (generation_id, webhook_id, url, events)
     SELECT id, uuidv7(), $2, '{}' FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
    `INSERT INTO webhook_delivery (webhook_id, event_id, generation_id, type, data, error, attempt_log)
     SELECT uuidv7(), 1, id, 'job.completed', $3, $2, $3 FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
  ];
  await database.transaction(async (sql) => {
    // Skips foreign keys and the triggers of the ledger.
    await sql.query("SET LOCAL session_replication_role = replica");
    for (const text of plants) {
      const values = [accountId, word, JSON.stringify({ prompt: word }), id];
      // Postgres refuses parameters that a statement does not use.
      const used = [...new Set(text.match(/\$\d/g))].toSorted((a, b) => (a < b ? -1 : 1));
      const renumbered = text.replaceAll(/\$\d/g, (name) => `$${used.indexOf(name) + 1}`);
      await sql
        .query(
          renumbered,
          used.map((name) => values[Number(name.slice(1)) - 1]),
        )
        .catch((cause: unknown) => {
          throw new Error(text, { cause });
        });
    }
  });
  return id;
}
