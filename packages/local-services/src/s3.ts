import { randomUUID } from "node:crypto";

import { startContainer } from "./container.ts";
import {
  firstAvailable,
  type RunningService,
  type StartServiceOptions,
  type Unavailable,
} from "./service.ts";
import { startSwift } from "./swift.ts";

/**
 * An S3 for tests, as a URL for `createStorage`: the external one, else VersityGW in a container,
 * else OpenStack Swift from Debian's packages. Each checks signatures, as some of the lighter
 * stand-ins for S3 do not.
 */
export async function startS3(options: StartServiceOptions): Promise<RunningService | Unavailable> {
  const { externalUrl } = options;
  if (externalUrl !== undefined) {
    return { url: externalUrl, description: "external", stop: async () => {} };
  }
  const secret = randomUUID();
  return firstAvailable([
    () =>
      startContainer({
        image: "versity/versitygw:v1.7.0",
        command: ["posix", "/tmp"],
        environment: { ROOT_ACCESS_KEY: "tester", ROOT_SECRET_KEY: secret },
        port: 7070,
        log: options.log,
        url: (host, port) =>
          `s3://tester:${secret}@${host}:${port}/atelier-test?tls=false&region=us-east-1`,
      }),
    () => startSwift(options),
  ]);
}
