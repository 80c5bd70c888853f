import { describe, expect, it } from "vitest";
import { readRedisAddress } from "./redis-address.ts";
import { serviceVariables } from "./variables.ts";

describe("QUEUE_URL with several nodes", () => {
  it("names sentinels, primary, credentials, database and prefix", () => {
    expect(
      readRedisAddress(
        "redis+sentinel://me:p%40ss:w@one:26380,two,[::1]:26379/atelier?db=2&prefix=mine&sentinel_password=guard",
      ),
    ).toEqual({
      kind: "sentinel",
      nodes: [
        { host: "one", port: 26_380 },
        { host: "two", port: 26_379 },
        { host: "::1", port: 26_379 },
      ],
      isEncrypted: false,
      username: "me",
      password: "p@ss:w",
      prefix: "mine",
      database: 2,
      primaryName: "atelier",
      sentinelUsername: null,
      sentinelPassword: "guard",
    });
    expect(readRedisAddress("rediss+sentinel://:secret@one/atelier")).toMatchObject({
      isEncrypted: true,
      username: null,
      password: "secret",
      prefix: "atelier",
    });
  });

  it("names nodes of a cluster", () => {
    expect(readRedisAddress("rediss+cluster://:secret@one,two:7000?prefix=mine")).toMatchObject({
      kind: "cluster",
      nodes: [
        { host: "one", port: 6_379 },
        { host: "two", port: 7_000 },
      ],
      isEncrypted: true,
      password: "secret",
      prefix: "mine",
    });
  });

  const form = "must be redis+sentinel://host:26379,host:26379/name";
  it.each([
    ["redis+sentinel://one:26379,two:26379", form],
    ["redis+sentinel://one:26379/", form],
    ["redis+sentinel:///atelier", form],
    ["redis+other://one/atelier", form],
    ["redis+sentinel://one,,two/atelier", "has an invalid host; write host:26379,host:26379"],
    ["redis+sentinel://one:99999/atelier", "has an invalid host"],
    ["redis+sentinel://one/atelier?db=x", "has an invalid db"],
    [
      "redis+sentinel://one/atelier?password=secret",
      "has an unknown parameter; known are: prefix, db",
    ],
    ["redis+sentinel://:50%@one/atelier", "has an invalid percent sign"],
    ["redis+cluster://one:6379/0", "must be redis+cluster://host:6379,host:6379"],
    ["redis+cluster://one?db=1", "has an unknown parameter; known are: prefix"],
    ["redis+cluster://one?prefix={a}", "must have a prefix without { and }"],
    ["http://one", "must be a postgres:// or redis:// URL"],
    ["postgres", "must be a postgres:// or redis:// URL"],
  ])("%s is refused with what to write", (url, message) => {
    const parsed = serviceVariables.QUEUE_URL.safeParse(url);
    expect(parsed.error?.issues[0]?.message).toContain(message);
    expect(parsed.error?.issues[0]?.message).not.toContain("secret");
  });

  it.each(["redis://one", "rediss://:secret@one:6380/2?prefix=a", "postgresql://one/db"])(
    "%s is accepted",
    (url) => {
      expect(serviceVariables.QUEUE_URL.safeParse(url).success).toBe(true);
    },
  );
});
