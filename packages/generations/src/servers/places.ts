import { statement, type Database, type Sql } from "@atelier/database";
import {
  chooseServer,
  type EngineLoad,
  type EngineSpeed,
  type Loads,
  type ServerState,
} from "./choose-server.ts";

/** A server that may make an image. */
export interface Candidate {
  readonly url: string;
  readonly weight: number;
  /** Calls at the same time, over all workers. */
  readonly concurrency: number;
}

/** A claim that needs a server. */
export interface PlaceRequest {
  readonly renderId: string;
  readonly attempt: number;
  readonly needs: EngineLoad;
  readonly candidates: readonly Candidate[];
  /** Time to the deadline of the generation, in milliseconds: a lost place ends then. */
  readonly remainingMs: number;
  /** Images that wait for a worker, by what an engine loads for them. */
  readonly backlog?: ReadonlyMap<string, number>;
}

/** A place of a call at a server. */
export interface Place {
  readonly url: string;
  readonly loads: Loads;
  /** False while it waits for calls before it. */
  readonly isStarted: boolean;
}

/** Postgres channel that is notified when a place is given back while calls wait for one. */
export const enginePlaceChannel = "engine_place";

interface PlaceRow extends EngineLoad {
  readonly renderId: string;
  readonly url: string;
  readonly loads: Loads;
  readonly runningMs: number;
}

interface ServerRow {
  readonly url: string;
  readonly model: string | null;
  readonly loras: string;
  readonly jobsOfOthers: number;
  readonly busyMs: number;
}

interface SpeedRow extends EngineSpeed {
  readonly url: string;
  readonly model: string;
}

/**
 * Takes a place at the server with the least expected wait, or moves the place of this render to a
 * better one. A place starts at once unless the server has as many calls as it may have.
 *
 * All workers decide one after another: the rows of the candidates are locked. The transaction is safe to
 * repeat.
 *
 * @returns null when a later claim of the render has a place.
 */
export async function takePlace(
  database: Pick<Database, "transaction">,
  { attempt, backlog, candidates, needs, remainingMs, renderId }: PlaceRequest,
): Promise<Place | null> {
  return database.transaction(async (sql) => {
    const urls = candidates.map(({ url }) => url);
    const read = () =>
      Promise.all([
        sql.query<ServerRow>(lockServers, [urls]),
        sql.query<PlaceRow>(readPlaces, [urls]),
        sql.query<SpeedRow>(readSpeeds, [urls]),
      ]);
    let [servers, places, speeds] = await read();
    if (servers.length < urls.length) {
      await sql.query(insertServers, [urls.toSorted()]);
      [servers, places, speeds] = await read();
    }
    const own = places.find((place) => place.renderId === renderId);
    const states = candidates.map((candidate) =>
      describeServer(candidate, {
        server: servers.find(({ url }) => url === candidate.url),
        // A place that stays where it is keeps its turn.
        places: before(
          own,
          places.filter(({ url }) => url === candidate.url),
        ),
        speeds: speeds.filter(({ url }) => url === candidate.url),
      }),
    );
    const chosen = chooseServer(states, needs, backlog);
    if (chosen === null) throw new Error("a place needs a candidate");
    const { loads, url } = chosen;
    const count = states.find((state) => state.url === url)?.calls.length ?? 0;
    const limit = candidates.find((candidate) => candidate.url === url)?.concurrency ?? 0;
    const isStarted = count < limit;
    const stored = await sql.query(
      ...upsertPlace.bind({ renderId, attempt, url, ...needs, loads, isStarted, remainingMs }),
    );
    return stored.length === 0 ? null : { url, loads, isStarted };
  });
}

function before(own: PlaceRow | undefined, places: readonly PlaceRow[]): readonly PlaceRow[] {
  const index = own === undefined ? -1 : places.indexOf(own);
  return index === -1 ? places : places.slice(0, index);
}

function describeServer(
  { url, weight }: Candidate,
  known: {
    readonly server: ServerRow | undefined;
    readonly places: readonly PlaceRow[];
    readonly speeds: readonly SpeedRow[];
  },
): ServerState {
  const { model = null, loras = "", jobsOfOthers = 0, busyMs = 0 } = known.server ?? {};
  return {
    url,
    weight,
    loaded: model === null ? null : { model, loras },
    calls: known.places,
    jobsOfOthers,
    busyMs,
    speeds: new Map(known.speeds.map((speed) => [speed.model, speed])),
  };
}

/** Servers that no worker has called before. */
const insertServers = `
  INSERT INTO engine_server (url) SELECT unnest($1::text[]) ON CONFLICT (url) DO NOTHING`;

const lockServers = `
  SELECT url, model, loras, jobs_of_others AS "jobsOfOthers",
         coalesce(greatest(extract(epoch FROM busy_until - now()) * 1000, 0), 0)::float AS "busyMs"
    FROM engine_server WHERE url = ANY($1) ORDER BY url FOR UPDATE`;

/** Runs after the servers are locked, and therefore sees the places that other workers have taken. */
const readPlaces = `
  SELECT render_id AS "renderId", url, model, loras, loads,
         coalesce(extract(epoch FROM clock_timestamp() - started_at) * 1000, 0)::float AS "runningMs"
    FROM engine_place WHERE url = ANY($1) AND expires_at > now() ORDER BY placed_at, render_id`;

const readSpeeds = `
  SELECT url, model, image_ms AS "imageMs", load_ms AS "loadMs", loras_ms AS "lorasMs"
    FROM engine_speed WHERE url = ANY($1)`;

const upsertPlace = statement(
  ["renderId", "attempt", "url", "model", "loras", "loads", "isStarted", "remainingMs"],
  `WITH place AS (
       INSERT INTO engine_place AS p
              (render_id, attempt, url, model, loras, loads, placed_at, started_at, expires_at)
       VALUES (:renderId, :attempt, :url, :model, :loras, :loads, clock_timestamp(),
               CASE WHEN :isStarted THEN clock_timestamp() END, now() + :remainingMs * interval '1 ms')
       ON CONFLICT (render_id) DO UPDATE
         SET attempt = excluded.attempt, url = excluded.url, model = excluded.model,
             loras = excluded.loras, loads = excluded.loads, started_at = excluded.started_at,
             placed_at = CASE WHEN p.url = excluded.url THEN p.placed_at ELSE excluded.placed_at END,
             expires_at = excluded.expires_at
         WHERE p.attempt <= excluded.attempt
       RETURNING p.url, p.model, p.loras, p.started_at
     ), loaded AS (
       UPDATE engine_server SET model = place.model, loras = place.loras
         FROM place WHERE engine_server.url = place.url AND started_at IS NOT NULL
     )
     SELECT url FROM place`,
);

/**
 * Takes the place of a call that continues at its server, whatever else the server does. The statement
 * is safe to repeat.
 *
 * @returns whether no later claim of the render has a place.
 */
export async function resumePlace(
  sql: Sql,
  { attempt, needs, remainingMs, renderId }: Omit<PlaceRequest, "candidates" | "backlog">,
  url: string,
): Promise<boolean> {
  const stored = await sql.query(
    ...keepPlace.bind({ renderId, attempt, url, ...needs, remainingMs }),
  );
  return stored.length > 0;
}

const keepPlace = statement(
  ["renderId", "attempt", "url", "model", "loras", "remainingMs"],
  `INSERT INTO engine_place AS p
          (render_id, attempt, url, model, loras, loads, placed_at, started_at, expires_at)
   VALUES (:renderId, :attempt, :url, :model, :loras, 'nothing', clock_timestamp(), clock_timestamp(),
           now() + :remainingMs * interval '1 ms')
   ON CONFLICT (render_id) DO UPDATE
     SET attempt = excluded.attempt, url = excluded.url, expires_at = excluded.expires_at,
         started_at = coalesce(p.started_at, excluded.started_at)
     WHERE p.attempt <= excluded.attempt
   RETURNING render_id`,
);

/** Calls that wait for a server, as the database knows them. */
export interface Turn {
  /** Renders whose calls start now. */
  readonly started: readonly string[];
  /** Renders that have no place any more. */
  readonly lost: readonly string[];
  /** Whether a server could take another call. */
  readonly hasFreeServer: boolean;
}

/**
 * Starts those of the waiting calls whose turn it is: the server has fewer calls before them than it may
 * have at the same time. The statements are safe to repeat.
 */
export async function startWaiting(
  sql: Sql,
  renderIds: readonly string[],
  candidates: readonly Candidate[],
): Promise<Turn> {
  const urls = candidates.map(({ url }) => url);
  const limits = candidates.map(({ concurrency }) => concurrency);
  const [turns, free] = await Promise.all([
    sql.query<{ renderId: string; isStarted: boolean; isLost: boolean }>(startThoseInTurn, [
      renderIds,
      urls,
      limits,
    ]),
    sql.query<{ url: string }>(findFree, [urls, limits]),
  ]);
  return {
    started: turns.flatMap(({ isStarted, renderId }) => (isStarted ? [renderId] : [])),
    lost: turns.flatMap(({ isLost, renderId }) => (isLost ? [renderId] : [])),
    hasFreeServer: free.length > 0,
  };
}

const startThoseInTurn = `
  WITH queue AS (
    SELECT p.render_id, p.started_at, p.url, p.model, p.loras, concurrency, row_number() OVER
             (PARTITION BY p.url ORDER BY placed_at, render_id) AS turn
      FROM engine_place AS p JOIN unnest($2::text[], $3::int[]) AS candidate (url, concurrency) USING (url)
     WHERE expires_at > now()
  ), started AS (
    UPDATE engine_place AS p SET started_at = clock_timestamp()
      FROM queue WHERE p.render_id = queue.render_id AND p.url = queue.url
       AND p.render_id = ANY($1::uuid[]) AND p.started_at IS NULL AND turn <= concurrency
    RETURNING p.render_id, p.url, p.model, p.loras
  ), loaded AS (
    UPDATE engine_server SET model = started.model, loras = started.loras
      FROM started WHERE engine_server.url = started.url
  )
  SELECT wanted.id AS "renderId", p.render_id IS NULL AS "isLost",
         (p.started_at IS NOT NULL OR started.render_id IS NOT NULL) AS "isStarted"
    FROM unnest($1::uuid[]) AS wanted (id)
    LEFT JOIN engine_place AS p ON p.render_id = wanted.id
    LEFT JOIN started ON started.render_id = wanted.id`;

const findFree = `
  SELECT url FROM unnest($1::text[], $2::int[]) AS candidate (url, concurrency)
   WHERE concurrency > (SELECT count(*) FROM engine_place AS p
                         WHERE p.url = candidate.url AND expires_at > now())`;

/** How a call at a server ended. */
export interface PlaceEnd {
  /** Whether it returned an image; only then is its duration measured. */
  readonly isImage: boolean;
  /** Time for which the server asked not to be called, in milliseconds; 0 for none. */
  readonly busyMs: number;
}

/**
 * Gives a place back and measures the server: the time since the call started or the one before it
 * ended. Wakes calls that wait for the server. Does nothing if a later claim has the place.
 */
export async function givePlaceBack(
  database: Pick<Database, "query" | "notify">,
  { attempt, renderId }: Pick<PlaceRequest, "attempt" | "renderId">,
  { busyMs, isImage }: PlaceEnd,
): Promise<void> {
  const [place] = await database.query<{ isAwaited: boolean }>(
    ...deletePlace.bind({ renderId, attempt, isImage, busyMs }),
  );
  if (place?.isAwaited === true) database.notify(enginePlaceChannel, "");
}

/** SQL for a moving average of a measured duration. */
function averaged(column: string, sample: string): string {
  return `coalesce(${column} * 0.8 + ${sample} * 0.2, ${sample})`;
}

const deletePlace = statement(
  ["renderId", "attempt", "isImage", "busyMs"],
  `WITH place AS (
       DELETE FROM engine_place WHERE render_id = :renderId AND attempt <= :attempt
       RETURNING render_id, url, model, loads, started_at
     ), earlier AS (
       -- The end of a call that is known before the end of the one that loads: its time contains the load.
       SELECT 1 FROM engine_place AS p JOIN place USING (url)
        WHERE p.render_id <> place.render_id AND p.started_at <= place.started_at
          AND p.loads <> 'nothing' AND p.expires_at > now()
     ), finished AS (
       SELECT place.*, extract(epoch FROM clock_timestamp() - greatest(started_at, finished_at)) * 1000 AS ms
         FROM place JOIN engine_server USING (url) WHERE :isImage AND started_at IS NOT NULL
          AND NOT EXISTS (SELECT FROM earlier)
     ), heir AS (
       -- The call that had started next measures the load of one that made no image.
       UPDATE engine_place AS p SET loads = place.loads
         FROM place, LATERAL (
                SELECT render_id FROM engine_place
                 WHERE url = place.url AND render_id <> place.render_id
                   AND started_at >= place.started_at
                 ORDER BY started_at LIMIT 1 FOR UPDATE SKIP LOCKED
              ) AS next
        WHERE p.render_id = next.render_id AND p.loads = 'nothing'
          AND NOT :isImage AND place.loads <> 'nothing'
     ), server AS (
       UPDATE engine_server
          SET finished_at = CASE WHEN EXISTS (SELECT FROM finished) THEN clock_timestamp()
                                 ELSE finished_at END,
              busy_until = CASE WHEN :busyMs::float > 0
                                THEN now() + :busyMs::float * interval '1 ms' ELSE busy_until END
         FROM place WHERE engine_server.url = place.url
     ), speed AS (
       INSERT INTO engine_speed AS s (url, model, image_ms, load_ms, loras_ms)
       SELECT url, model, CASE loads WHEN 'nothing' THEN ms END, CASE loads WHEN 'model' THEN ms END,
              CASE loads WHEN 'loras' THEN ms END
         FROM finished
       ON CONFLICT (url, model) DO UPDATE
         SET image_ms = CASE WHEN excluded.image_ms IS NULL THEN s.image_ms
                             ELSE ${averaged("s.image_ms", "excluded.image_ms")} END,
             -- The first load was measured together with its image.
             load_ms = CASE WHEN excluded.load_ms IS NULL AND s.image_ms IS NULL
                            THEN greatest(0, s.load_ms - excluded.image_ms)
                            WHEN excluded.load_ms IS NULL THEN s.load_ms
                            ELSE ${averaged("s.load_ms", "greatest(0, excluded.load_ms - coalesce(s.image_ms, 0))")} END,
             loras_ms = CASE WHEN excluded.loras_ms IS NULL THEN s.loras_ms
                             ELSE ${averaged("s.loras_ms", "greatest(0, excluded.loras_ms - coalesce(s.image_ms, 0))")} END
     )
     SELECT EXISTS (SELECT 1 FROM engine_place AS p, place
                     WHERE p.url = place.url AND p.started_at IS NULL) AS "isAwaited"
       FROM place`,
);
