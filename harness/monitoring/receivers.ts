import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";

/** Receivers of alerts on this machine: a webhook and a mail server. */
export interface Receivers {
  readonly webhookUrl: string;
  /** Host and port of the mail server, which speaks no TLS. */
  readonly mailServer: string;
  /** Names of the alerts that the webhook received as firing. */
  readonly alerts: ReadonlySet<string>;
  /** Mails as they were sent, with their headers. */
  readonly mails: readonly string[];
  close(): void;
}

export async function startReceivers(): Promise<Receivers> {
  const alerts = new Set<string>();
  const mails: string[] = [];
  const receive = async (request: IncomingMessage) => {
    const chunks = await request.toArray();
    const body = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as {
      alerts: { status: string; labels: { alertname: string } }[];
    };
    for (const { status, labels } of body.alerts) {
      if (status === "firing") alerts.add(labels.alertname);
    }
  };
  const webhook = createServer((request, response) => {
    void receive(request).then(() => response.end());
  }).listen(0, "127.0.0.1");
  const mail = createTcpServer((socket) => {
    let received = "";
    let isData = false;
    socket.on("error", () => undefined);
    socket.write("220 test\r\n");
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
      for (;;) {
        const end = received.indexOf(isData ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const part = received.slice(0, end);
        received = received.slice(end + (isData ? 5 : 2));
        if (isData) mails.push(part);
        const isStart: boolean = !isData && part === "DATA";
        isData = isStart;
        socket.write(isStart ? "354 go on\r\n" : part === "QUIT" ? "221 bye\r\n" : "250 ok\r\n");
      }
    });
  }).listen(0, "127.0.0.1");
  await Promise.all([once(webhook, "listening"), once(mail, "listening")]);
  const portOf = (server: { address(): AddressInfo | string | null }) =>
    (server.address() as AddressInfo).port;
  return {
    webhookUrl: `http://127.0.0.1:${portOf(webhook)}/`,
    mailServer: `127.0.0.1:${portOf(mail)}`,
    alerts,
    mails,
    close() {
      webhook.close();
      mail.close();
    },
  };
}
