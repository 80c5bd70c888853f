import { isIPv6 } from "node:net";
import { Client } from "minio";

/** The S3 client, which also reaches a store by its IPv6 address on the default port. */
export class S3Client extends Client {
  /** The client omits the brackets of an IPv6 address in the Host header, which is signed. */
  protected override getRequestOptions(options: never) {
    const request = super.getRequestOptions(options);
    const host = request.headers["host"] ?? "";
    if (isIPv6(host)) request.headers["host"] = `[${host}]`;
    return request;
  }
}
