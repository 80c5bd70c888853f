import pg from "pg";

export interface Listener {
  close(): Promise<void>;
}

const reconnectDelayMs = 500;
const answerTimeoutMs = 10_000;

/**
 * Listens on a channel over one connection of its own, opened again whenever it breaks.
 * What is notified while it is down is lost: callers look at the rows as well.
 */
export async function listen(
  url: string,
  channel: string,
  onPayload: (payload: string) => void,
): Promise<Listener> {
  let closed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: "atelier-listen",
      keepAlive: true,
      // A host that takes connections and says nothing would be waited for instead of asked again.
      connectionTimeoutMillis: answerTimeoutMs,
      query_timeout: answerTimeoutMs,
    });
    // Both fire when a connection breaks; the first one decides.
    const lost = () => {
      if (client !== next) return;
      client = undefined;
      reconnectLater();
    };
    next.on("error", lost);
    next.on("end", lost);
    next.on("notification", ({ payload }) => onPayload(payload ?? ""));
    try {
      await next.connect();
      await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      void next.end().catch(() => undefined);
      throw error;
    }
    // Only from here on does losing it mean to connect again.
    if (closed) await next.end();
    else client = next;
  }

  function reconnectLater(): void {
    if (closed) return;
    timer = setTimeout(() => void connect().catch(reconnectLater), reconnectDelayMs);
  }

  await connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}
