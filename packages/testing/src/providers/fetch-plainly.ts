/** Fetches a result as the guarded fetcher does, but from loopback: without any credentials. */
export async function fetchPlainly(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
