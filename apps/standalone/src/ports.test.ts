import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { choosePorts, findFreePort } from "./ports.ts";

const servers: Server[] = [];

async function listen(host: string, port = 0): Promise<number> {
  const server = createServer().listen(port, host);
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => once(server.close(), "close")));
});

const host = "127.0.0.1";

describe("choosePorts", () => {
  it("takes the port after the API's for the admin side", async () => {
    const port = await findFreePort();
    expect(await choosePorts({ host, port, adminPort: null })).toEqual({
      api: port,
      admin: port + 1,
    });
  });

  it("takes another one when that is taken", async () => {
    const port = (await listen(host)) - 1;
    const { api, admin } = await choosePorts({ host, port, adminPort: null });
    expect(api).toBe(port);
    expect(admin).not.toBe(port + 1);
    expect(await listen(host, admin)).toBe(admin);
  });

  it.each(["127.0.0.1", "::1"])("says in one line that a port is taken on %s", async (address) => {
    const port = await listen(address);
    await expect(choosePorts({ host, port, adminPort: null })).rejects.toThrow(
      new RegExp(`^Port ${port} is taken\\. .*PORT=${port + 10} npm start$`),
    );
  });

  it("does not move away from an admin port that was asked for", async () => {
    const adminPort = await listen(host);
    const port = await findFreePort();
    await expect(choosePorts({ host, port, adminPort })).rejects.toThrow(
      new RegExp(`^Port ${adminPort} is taken\\. .*ADMIN_PORT=`),
    );
  });
});
