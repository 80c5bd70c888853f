import pg from "pg";

export interface Listener {
  close(): Promise<void>;
}

const reconnectDelayMs = 500;
const answerTimeoutMs = 10_000;

/**
 * Listens on a channel over a connection of its own, which is reopened when it breaks. Notifications
 * sent while it is down are lost, so callers must also poll the rows.
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
      // Without a timeout, a host that accepts connections and never answers would block the reconnect.
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
    // From here on, losing the connection triggers a reconnect.
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
