import { startInternet } from "@atelier/guarded-fetch/testing/internet";
import type { Stack, TestAccount } from "@atelier/testing";
import { acceptJob, type WorkerAttack } from "./attack-worker.ts";
import { createHostileImages, type HostileImages } from "./hostile-images.ts";

/** Jobs with several references each. */
const attackJobs = 24;

/** Creates an attack of jobs with hostile reference images, and the internet that has the images. */
export async function attackWithReferences(): Promise<WorkerAttack> {
  const images = await createHostileImages();
  const files = { ...images.refused, ...images.accepted };
  const internet = await startInternet({
    "pictures.example.org": {
      http: ({ url }, response) => response.end(files[url?.split("?")[0] ?? ""]),
    },
  });
  return {
    // The peak is three quarters of the memory limit of the container in `deploy/kubernetes`.
    bounds: { ratio: 10, p95Ms: 15_000, peakMb: 1_536 },
    environment: { TEST_INTERNET: JSON.stringify(internet.address) },
    submit: (service, attacker) => acceptAll(service, attacker, images),
    close: () => internet.close(),
  };
}

async function acceptAll(
  service: Stack,
  attacker: TestAccount,
  { refused, accepted }: HostileImages,
): Promise<Map<string, readonly string[]>> {
  const jobs = new Map<string, readonly string[]>();
  // Each job of an expensive image decodes several copies of it; each other job has one bad image.
  const sets = [
    ...Object.keys(refused).map((path) => ({ paths: [path], ends: ["reference_invalid"] })),
    // On a busy machine, decoding an expensive image that is within all limits can take too long.
    ...Object.keys(accepted).map((path) => ({
      paths: [path, `${path}?2`],
      ends: ["completed", "reference_invalid"],
    })),
  ];
  for (let index = 0; index < attackJobs; index++) {
    const { paths, ends } = sets[index % sets.length] ?? { paths: [], ends: [] };
    const id = await acceptJob(service, attacker, "image", {
      model: "fake-blind",
      prompt: "a lighthouse",
      reference_images: paths.map((path) => ({
        url: `https://pictures.example.org${path}`,
        description: "the style",
      })),
    });
    jobs.set(id, ends);
  }
  return jobs;
}
