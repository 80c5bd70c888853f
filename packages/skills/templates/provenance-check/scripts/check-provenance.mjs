// Tells where image files come from: node check-provenance.mjs picture.png
// Exit code 0: all were made here and are unchanged. 10: at least one is not known as such.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { hash, imagesOf, print, readSettings, run, say, send, UsageError } from "./atelier.mjs";

const usage = `usage: node check-provenance.mjs <file>... [options]
  --pages <n>   how many pages of 100 jobs to look through, newest first; default: 20`;

await run(usage, async () => {
  const { values, positionals: files } = parseArgs({
    allowPositionals: true,
    options: { pages: { type: "string", default: "20" } },
  });
  if (files.length === 0 || !/^[1-9]\d*$/.test(values.pages)) throw new UsageError(usage);
  const wanted = new Map();
  for (const file of files) {
    const bytes = await readFile(file);
    wanted.set(file, { sha256: hash(bytes), marks: findMarks(bytes) });
  }
  const hashes = new Set([...wanted.values()].map(({ sha256 }) => sha256));
  const { found, complete } = await findJobs(readSettings(), hashes, Number(values.pages));
  for (const [file, { sha256, marks }] of wanted) {
    const made = found.get(sha256) ?? null;
    print(
      JSON.stringify({ file, sha256, made_here_and_unchanged: made !== null, ...made, ...marks }),
    );
  }
  if (found.size < hashes.size) {
    process.exitCode = 10;
    if (!complete)
      say("Not all jobs were looked at. what to do: run this again with more --pages.");
  }
  say(
    "A manifest that is there is not yet a manifest that is valid: see SKILL.md for its signature.",
  );
});

/** The jobs that made files with these hashes; the hashes stay when the files are gone. */
async function findJobs(settings, hashes, pages) {
  const found = new Map();
  let cursor = "";
  for (let page = 0; page < pages; page++) {
    const path = `/v1/jobs?limit=100&status=completed${cursor && `&cursor=${cursor}`}`;
    const { jobs, next_cursor } = await send(settings, "GET", path);
    for (const job of jobs) {
      for (const { sha256, scene } of hashesOf(job.result)) {
        if (!hashes.has(sha256)) continue;
        const at = job.completed_at;
        found.set(sha256, { job_id: job.id, model: job.result.model, made_at: at, scene });
      }
    }
    if (next_cursor === null || found.size === hashes.size) return { found, complete: true };
    cursor = encodeURIComponent(next_cursor);
  }
  return { found, complete: false };
}

/** Every hash of a result, with the scene that it is of. */
function hashesOf(result) {
  return imagesOf(result).flatMap((image) =>
    [image.image_hash, ...Object.values(image.formats ?? {}).map((variant) => variant.hash)]
      .filter((sha256) => sha256 !== undefined)
      .map((sha256) => ({ sha256, scene: image.scene })),
  );
}

/** Reads the file's statements about itself. Anybody can write them: only the signature proves them. */
function findMarks(bytes) {
  const text = bytes.toString("latin1");
  // Of the IPTC vocabulary, those that a machine made.
  const sourceTypes =
    /digitalsourcetype\/(trainedAlgorithmicMedia|compositeWithTrainedAlgorithmicMedia|algorithmicMedia|compositeSynthetic)/g;
  // The last one is its own: the manifests of images that went into it come before.
  const sourceType = [...text.matchAll(sourceTypes)].at(-1)?.[1] ?? null;
  return {
    has_c2pa_manifest: text.includes("jumb") && text.includes("c2pa"),
    source_type: sourceType,
    says_synthetic: sourceType === null ? null : true,
    // The two others do not say whether a trained model was used.
    says_ai_generated: /trained/i.test(sourceType ?? "") ? true : null,
  };
}
