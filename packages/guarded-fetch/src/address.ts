import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether an IP address in text form is a regular address of the public internet.
 *
 * Everything in the IANA special-purpose registries (RFC 6890 and its successors) is rejected, and
 * so is every IPv6 form that embeds an IPv4 address (mapped, compatible, translated, NAT64, 6to4,
 * Teredo, ISATAP), because packets may be delivered to that IPv4 address. IPv6 is accepted only
 * inside 2000::/3, the one block that is allocated for global unicast. Text that is not a plain
 * address (a zone id, a leading zero, a name) is rejected.
 */
export function isGlobalUnicast(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return address !== azurePlatform && ipaddr.IPv4.parse(address).range() === "unicast";
    case 6: {
      if (address.includes("%")) return false;
      const parsed = ipaddr.IPv6.parse(address);
      const [first = 0, , , , fifth = 0, sixth = 0] = parsed.parts;
      const isAllocated = first >> 13 === 0b001;
      // RFC 5214, 6.1: 00-00-5E-FE, or 02-00-5E-FE, before the IPv4 address.
      const isIsatap = (fifth & 0xfdff) === 0 && sixth === 0x5efe;
      return isAllocated && !isIsatap && parsed.range() === "unicast";
    }
    default:
      return false;
  }
}

const wellKnownPrefix = ipaddr.parseCIDR("64:ff9b::/96") as [ipaddr.IPv6, number];

/**
 * Extracts the IPv4 address from an address with the well-known NAT64 prefix (RFC 6052, 2.1). A
 * DNS64 resolver returns such addresses for names that only have an IPv4 address.
 *
 * @returns null for any other text.
 */
export function embeddedIPv4(address: string): string | null {
  if (isIP(address) !== 6 || address.includes("%")) return null;
  const parsed = ipaddr.IPv6.parse(address);
  if (!parsed.match(wellKnownPrefix)) return null;
  return new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString();
}

/** Formally public, but inside Azure it is the host platform's address. */
const azurePlatform = "168.63.129.16";

/**
 * Creates a function that checks whether an address is in one of the networks.
 *
 * @param networks CIDR blocks such as `203.0.114.0/24` or `2a01:db8::/32`.
 * @throws Error if one of them is not a CIDR block.
 */
export function createNetworkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base, length] = ipaddr.parseCIDR(network);
    list.addSubnet(base.toString(), length, base.kind());
  }
  return (address) => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
