import { describe, inject } from "vitest";

import { createS3Storage } from "./s3-storage.ts";
import { describeStorage } from "./storage.contract.ts";

const url = inject("s3Url");

describe.skipIf(url === null)("with an S3 server", () => {
  describeStorage("in S3", async () => ({
    create: (options) => createS3Storage({ url: url ?? "", ...options }),
    // OpenStack Swift does, and has no CORS rules in its S3 API.
    canMissReplacedObjects: true,
    supportsAnyOrigin: false,
    async stop() {},
  }));
});
