import type { Request } from "express";
import ipaddr from "ipaddr.js";

/**
 * Returns the address by which limits count a client: an IPv4 address, or the /64 network of an IPv6
 * address, since one host usually has all addresses of such a network (RFC 6177).
 *
 * It is the address of the connection, or, when that is in `TRUSTED_PROXIES`, the last address in
 * `X-Forwarded-For` that is not. Clients can write anything into that header, so that only the
 * entries of trusted proxies count.
 *
 * @returns `unknown` when a trusted proxy sends something that is no address, or the client has
 *   disconnected. All such requests count together.
 */
export function clientAddress(request: Pick<Request, "ip">): string {
  const text = stripPort(request.ip ?? "");
  if (!ipaddr.isValid(text)) return "unknown";
  // `process` turns an IPv4-mapped IPv6 address into the IPv4 address.
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`).toString()}/64`;
}

/** Some proxies, such as Azure's, append the port: `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function stripPort(text: string): string {
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}
