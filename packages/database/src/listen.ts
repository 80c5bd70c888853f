import pg from "pg";
import { listenerName } from "./connection-use.ts";

export interface Listener {
  close(): Promise<void>;
}

/** Called with the payload of each notification on a channel, by the name of the channel. */
export type ChannelHandlers = Readonly<Record<string, (payload: string) => void>>;

export interface ListenOptions {
  /** Called when notifications arrive from now on, also after a break: earlier ones may be lost. */
  readonly onConnected?: () => void;
  /** Called when the connection breaks: notifications are lost until `onConnected`. */
  readonly onDisconnected?: () => void;
  /** Whether an unavailable database rejects the call. Otherwise, it is connected to later. */
  readonly isRequired?: boolean;
  /** Connections that this program may open, for `readConnectionUse`. Default: this one. */
  readonly connections?: number;
}

const reconnectDelayMs = 500;

/** Silence after which a connection is probed. Without a value, the system waits for two hours. */
const keepAliveMs = 10_000;
const answerTimeoutMs = 10_000;

/**
 * Listens on channels over a connection of its own, which is reopened when it breaks. Notifications
 * sent while it is down are lost, so callers must also poll the rows.
 */
export async function listen(
  url: string,
  handlers: ChannelHandlers,
  { onConnected, onDisconnected, isRequired = true, connections = 1 }: ListenOptions = {},
): Promise<Listener> {
  let closed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: listenerName(connections),
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      // Without a timeout, a host that accepts connections and never answers would block the reconnect.
      connectionTimeoutMillis: answerTimeoutMs,
      query_timeout: answerTimeoutMs,
    });
    // Both fire when a connection breaks; the first one decides.
    const lost = () => {
      if (client !== next) return;
      client = undefined;
      onDisconnected?.();
      reconnectLater();
    };
    next.on("error", lost);
    next.on("end", lost);
    next.on("notification", ({ channel, payload }) => handlers[channel]?.(payload ?? ""));
    try {
      await next.connect();
      const channels = Object.keys(handlers).map((channel) => pg.escapeIdentifier(channel));
      await next.query(channels.map((channel) => `LISTEN ${channel}`).join("; "));
    } catch (error) {
      void next.end().catch(() => undefined);
      throw error;
    }
    // From here on, losing the connection triggers a reconnect.
    if (closed) return next.end();
    client = next;
    onConnected?.();
  }

  function reconnectLater(): void {
    if (closed) return;
    timer = setTimeout(() => void connect().catch(reconnectLater), reconnectDelayMs);
  }

  try {
    await connect();
  } catch (error) {
    if (isRequired) throw error;
    reconnectLater();
  }
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
