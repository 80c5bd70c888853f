import type { Member } from "@atelier/generations/cast";
import type { Sign } from "@atelier/presentation";
import type { KeptCharacter, KeptLocation } from "@atelier/schemas";

/** Presents a character with new signed URLs. */
export async function presentCharacter(member: Member, sign: Sign): Promise<KeptCharacter> {
  const [, ...others] = member.looks;
  const states = others.map(async (look) => ({
    state: look.state ?? "",
    ...(await presentLook(member, look, sign)),
  }));
  return { ...(await presentLocation(member, sign)), states: await Promise.all(states) };
}

/** Presents a location with a new signed URL. */
export async function presentLocation(member: Member, sign: Sign): Promise<KeptLocation> {
  const { id, name, status, sizeBytes, storyJobId, createdAt, looks } = member;
  const [normal] = looks;
  if (normal === undefined) throw new Error(`${id} has no look`);
  return {
    id,
    name,
    status,
    ...(await presentLook(member, normal, sign)),
    size_bytes: sizeBytes,
    story_job_id: storyJobId,
    created_at: createdAt.toISOString(),
  };
}

/** The description of a look, and its image unless the storage has lost it. */
async function presentLook(
  { id, kind }: Member,
  { description, storageKey, format, width, height }: Member["looks"][number],
  sign: Sign,
) {
  if (storageKey === null || format === null || width === null || height === null) {
    return { description };
  }
  const { url, expiresAt } = await sign(storageKey, `${kind}-${id}.${format}`);
  return {
    description,
    reference_url: url,
    expires_at: expiresAt.toISOString(),
    width,
    height,
  };
}
