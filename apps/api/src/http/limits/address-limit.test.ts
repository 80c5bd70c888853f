import { expect, it } from "vitest";
import { createAddressLimit } from "./address-limit.ts";

const clock = () => {
  const time = { nowMs: 1_000_000 };
  return { time, now: () => time.nowMs };
};

it("allows a burst of one minute's requests, then one each time the bucket has refilled", () => {
  const { time, now } = clock();
  const limit = createAddressLimit({ perMinute: 6, now });
  for (let sent = 0; sent < 6; sent++) {
    expect(limit.waitMs("192.0.2.1")).toBe(0);
    limit.count("192.0.2.1");
  }
  expect(limit.waitMs("192.0.2.1")).toBe(10_000);
  time.nowMs += 10_000;
  expect(limit.waitMs("192.0.2.1")).toBe(0);
  limit.count("192.0.2.1");
  expect(limit.waitMs("192.0.2.1")).toBe(10_000);
});

it("counts a request that cost as much as several, up to one minute beyond the bucket", () => {
  const { time, now } = clock();
  const limit = createAddressLimit({ perMinute: 6, now });
  limit.count("192.0.2.1", 5);
  expect(limit.waitMs("192.0.2.1")).toBe(0);
  limit.count("192.0.2.1", 1_000);
  expect(limit.backlogMs("192.0.2.1")).toBe(120_000);
  time.nowMs += 70_000;
  expect(limit.waitMs("192.0.2.1")).toBe(0);
});

it("is separate for each address", () => {
  const limit = createAddressLimit({ perMinute: 1 });
  limit.count("192.0.2.1");
  expect(limit.waitMs("192.0.2.1")).toBeGreaterThan(0);
  expect(limit.waitMs("192.0.2.2")).toBe(0);
});

it("replaces the address counted least recently when the table is full", () => {
  const { now } = clock();
  const limit = createAddressLimit({ perMinute: 1, maxAddresses: 2, now });
  for (const address of ["a", "b", "a", "c"]) limit.count(address);
  expect(["a", "b", "c"].map((address) => limit.waitMs(address) > 0)).toEqual([true, false, true]);
});
