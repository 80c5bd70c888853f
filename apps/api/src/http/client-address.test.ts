import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { clientAddress } from "./client-address.ts";

describe("the address of a client", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["192.0.2.7:4711", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::1]:4711", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80::/64"],
    ["::1", "::/64"],
    ["not an address", "unknown"],
    [undefined, "unknown"],
  ])("%s counts as %s", (ip, address) => {
    expect(clientAddress({ ip })).toBe(address);
  });
});

describe("TRUSTED_PROXIES", () => {
  /** Address that a server with these proxies sees for a request from 127.0.0.1. */
  async function addressSeenBy(proxies: readonly string[], forwardedFor?: string): Promise<string> {
    const app = express();
    app.set("trust proxy", proxies);
    app.get("/", (request, response) => response.send(clientAddress(request)));
    const server = createServer(app).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const headers: Record<string, string> =
      forwardedFor === undefined ? {} : { "X-Forwarded-For": forwardedFor };
    return (await fetch(`http://127.0.0.1:${port}`, { headers })).text();
  }

  it("empty: X-Forwarded-For is ignored", async () => {
    expect(await addressSeenBy([], "203.0.113.9")).toBe("127.0.0.1");
  });

  it("without the address of the connection: X-Forwarded-For is ignored", async () => {
    expect(await addressSeenBy(["10.0.0.0/8"], "203.0.113.9")).toBe("127.0.0.1");
  });

  it("the last address that is no trusted proxy counts, whatever the client wrote before", async () => {
    const proxies = ["127.0.0.1", "10.0.0.0/8"];
    expect(await addressSeenBy(proxies, "1.1.1.1, 203.0.113.9, 10.1.2.3")).toBe("203.0.113.9");
  });

  it("a proxy that sends no header counts itself", async () => {
    expect(await addressSeenBy(["127.0.0.0/8"])).toBe("127.0.0.1");
  });
});
