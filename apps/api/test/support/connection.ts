import { once } from "node:events";
import { connect } from "node:net";

/** A connection on which a test writes raw HTTP. */
export interface Connection {
  send(content: string | Buffer): void;
  /** Reads the next response with a Content-Length. */
  answer(): Promise<Response>;
  /** Waits for a text and removes it from the received data. */
  received(text: string): Promise<void>;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<unknown>;
  end(): void;
}

/** Opens a connection to a server without sending a request. */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const closed = once(socket, "close");
  let received = Buffer.alloc(0);
  await once(socket, "connect");
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
  });

  function takeAnswer(): Response | null {
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd === -1) return null;
    const [statusLine = "", ...lines] = received.subarray(0, headEnd).toString().split("\r\n");
    const headers = new Headers();
    for (const line of lines) {
      const [name = "", value = ""] = line.split(/: (.*)/s);
      headers.append(name, value);
    }
    const end = headEnd + 4 + Number(headers.get("Content-Length"));
    if (received.byteLength < end) return null;
    const body = received.subarray(headEnd + 4, end).toString();
    received = received.subarray(end);
    return new Response(body, { status: Number(statusLine.split(" ")[1]), headers });
  }

  return {
    send: (content) => void socket.write(content),
    async answer() {
      for (;;) {
        const answer = takeAnswer();
        if (answer !== null) return answer;
        await Promise.race([once(socket, "data"), closed]);
        if (socket.destroyed && !received.includes("\r\n\r\n")) {
          throw new Error("the connection was closed without an answer");
        }
      }
    },
    async received(text) {
      while (!received.includes(text)) await once(socket, "data");
      received = received.subarray(received.indexOf(text) + Buffer.byteLength(text));
    },
    closed,
    end: () => socket.destroy(),
  };
}

/** Sends one raw request and returns its response. */
export async function sendByHand(url: string, text: string): Promise<Response> {
  const connection = await openConnection(url);
  try {
    connection.send(text);
    return await connection.answer();
  } finally {
    connection.end();
  }
}
