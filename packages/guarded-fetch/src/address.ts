import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether a textual IP address is an ordinary address of the public internet.
 *
 * Everything in the IANA special-purpose registries (RFC 6890 and its
 * successors) is refused, and so is every IPv6 form that carries an IPv4
 * address (mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP): the
 * packet may come out at that IPv4 address. IPv6 is accepted only inside
 * 2000::/3, the one block that is allocated for global unicast. Text that is
 * not a plain address (a zone id, a leading zero, a name) is refused.
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

/** A public address by number, but one that reaches the host's own platform inside Azure. */
const azurePlatform = "168.63.129.16";

/**
 * A check for addresses that lie in any of the given networks.
 *
 * @param networks CIDR blocks such as `203.0.114.0/24` or `2a01:db8::/32`.
 * @throws Error when one of them is not a CIDR block.
 */
export function createNetworkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base, length] = ipaddr.parseCIDR(network);
    list.addSubnet(base.toString(), length, base.kind());
  }
  return (address) => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
