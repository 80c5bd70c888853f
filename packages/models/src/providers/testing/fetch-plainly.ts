/** Downloads a result without credentials, like the guarded fetcher, but from loopback. */
export async function fetchPlainly(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
