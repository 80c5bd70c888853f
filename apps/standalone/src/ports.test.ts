import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { choosePorts, findFreePort } from "./ports.ts";

const servers: Server[] = [];

async function listen(host: string, port = 0): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  servers.push(server);
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function closeAll(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => once(server.close(), "close")));
}

afterEach(closeAll);

/** Returns a free port that another free one follows. */
async function findTwoFreePorts(): Promise<number> {
  for (;;) {
    const port = await listen(host);
    const next = await listen(host, port + 1).catch(() => null);
    await closeAll();
    if (next !== null) return port;
  }
}

const host = "127.0.0.1";

describe("choosePorts", () => {
  it("uses the port after the API's for the admin port", async () => {
    const port = await findTwoFreePorts();
    expect(await choosePorts({ host, port, adminPort: null })).toEqual({
      api: port,
      admin: port + 1,
    });
  });

  it("uses another admin port when that is taken", async () => {
    const port = (await listen(host)) - 1;
    const { api, admin } = await choosePorts({ host, port, adminPort: null });
    expect(api).toBe(port);
    expect(admin).not.toBe(port + 1);
    expect(await listen(host, admin)).toBe(admin);
  });

  it.each(["127.0.0.1", "::1"])("reports a used port on %s in one line", async (address) => {
    const port = await listen(address);
    await expect(choosePorts({ host, port, adminPort: null })).rejects.toThrow(
      new RegExp(`^Port ${port} is in use\\. .*PORT=${port + 10} npm start$`),
    );
  });

  it("fails when the configured admin port is in use", async () => {
    const adminPort = await listen(host);
    const port = await findFreePort();
    await expect(choosePorts({ host, port, adminPort })).rejects.toThrow(
      new RegExp(`^Port ${adminPort} is in use\\. .*ADMIN_PORT=`),
    );
  });
});
