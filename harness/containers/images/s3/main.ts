/**
 * Serves S3 on port 7070 over /data with the keys in ROOT_ACCESS_KEY and ROOT_SECRET_KEY. With the
 * argument `download`, only fills the cache, for building the image.
 */
import { downloadSwift, startSwift } from "../../../../packages/local-services/src/swift.ts";

const cacheDirectory = "/opt/cache";
const log = (line: string) => void process.stderr.write(`${line}\n`);

if (process.argv[2] === "download") {
  const packages = await downloadSwift({ cacheDirectory, log });
  if ("unavailable" in packages) throw new Error(packages.unavailable);
} else {
  const { ROOT_ACCESS_KEY: accessKey = "", ROOT_SECRET_KEY: secretKey = "" } = process.env;
  const serve = { host: "0.0.0.0", port: 7070, accessKey, secretKey };
  const swift = await startSwift({ directory: "/data", cacheDirectory, log, serve });
  if ("unavailable" in swift) throw new Error(swift.unavailable);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void swift.stop().then(() => process.exit(0)));
  }
  // The servers are other processes; this one waits for a signal.
  setInterval(() => undefined, 1_000_000);
}
