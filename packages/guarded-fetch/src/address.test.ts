import { BlockList } from "node:net";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import refusedAddresses from "../fixtures/refused-addresses.json" with { type: "json" };
import { createNetworkMatcher, isGlobalUnicast } from "./address.ts";

/**
 * All blocks of the IANA IPv4 special-purpose registry, and multicast, as an independent reference.
 */
const specialIpv4 = new BlockList();
for (const [base, length] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  ["168.63.129.16", 32],
] as const) {
  specialIpv4.addSubnet(base, length, "ipv4");
}

const octets = fc.tuple(byte(), byte(), byte(), byte());
/** Half of the addresses are from special blocks, which would otherwise be rare. */
const ipv4 = fc.oneof(
  octets,
  fc
    .tuple(fc.constantFrom([10], [127], [169, 254], [192, 168], [172, 16], [100, 64]), octets)
    .map(([prefix, rest]) => [...prefix, ...rest].slice(0, 4)),
);
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const globalPrefix = fc.constantFrom("2a00:1450:4001:80e", "2606:2800:220:1", "2400:cb00:2048:1");

function byte() {
  return fc.integer({ min: 0, max: 255 });
}

function hexGroups([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

describe("isGlobalUnicast", () => {
  test.each(Object.entries(refusedAddresses))("rejects %s", (_kind, addresses) => {
    expect(addresses.filter(isGlobalUnicast)).toEqual([]);
  });

  test.each([
    "1.1.1.1",
    "93.184.215.14",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "223.255.255.255",
    "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
    "2a00:1450:4001:80e::200e",
    "2001:4860:4860::8888",
  ])("accepts %s", (address) => {
    expect(isGlobalUnicast(address)).toBe(true);
  });

  test("agrees with the IANA registry for all IPv4 addresses", () => {
    fc.assert(
      fc.property(ipv4, (parts) => {
        const address = parts.join(".");
        expect(isGlobalUnicast(address)).toBe(!specialIpv4.check(address, "ipv4"));
      }),
      { numRuns: 2000 },
    );
  });

  test("rejects every IPv6 form of an IPv4 address", () => {
    fc.assert(
      fc.property(ipv4, group, globalPrefix, (parts, any, prefix) => {
        const dotted = parts.join(".");
        const hex = hexGroups(parts);
        const inverted = hexGroups(parts.map((part) => part ^ 0xff));
        const forms = [
          `::ffff:${dotted}`,
          `::ffff:${hex}`,
          `0:0:0:0:0:ffff:${hex}`,
          `::${dotted}`,
          `::${hex}`,
          `::ffff:0:${dotted}`,
          `64:ff9b::${dotted}`,
          `64:ff9b::${hex}`,
          `64:ff9b:1:${any}:${any}:${any}:${hex}`,
          `2002:${hex}::${any}`,
          `2001:0:${hex}::${any}`,
          `2001:0:${any}:${any}:${any}:${any}:${inverted}`,
          `${prefix}:0:5efe:${hex}`,
          `${prefix}:200:5efe:${dotted}`,
          `fe80::5efe:${hex}`,
        ];
        expect(forms.filter(isGlobalUnicast)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test("rejects addresses outside 2000::/3", () => {
    const outside = fc.integer({ min: 0, max: 0xffff }).filter((first) => first >> 13 !== 1);
    fc.assert(
      fc.property(outside, fc.array(group, { minLength: 7, maxLength: 7 }), (first, rest) => {
        expect(isGlobalUnicast([first.toString(16), ...rest].join(":"))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test("rejects text that is not an address", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^[0-9a-f.:]+$/i.test(text));
        expect(isGlobalUnicast(text)).toBe(false);
      }),
    );
  });
});

test("createNetworkMatcher matches IPv4 and IPv6 networks", () => {
  const isRefused = createNetworkMatcher(["93.184.215.0/24", "2a00:1450::/32"]);
  expect(isRefused("93.184.215.14")).toBe(true);
  expect(isRefused("93.184.216.14")).toBe(false);
  expect(isRefused("2a00:1450:4001::1")).toBe(true);
  expect(isRefused("2a00:1451::1")).toBe(false);
  expect(() => createNetworkMatcher(["93.184.215.0"])).toThrow("CIDR");
});
