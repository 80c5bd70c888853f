/** Whether a stream ended with this error because the client disconnected. */
export function isDisconnect(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === "ERR_STREAM_PREMATURE_CLOSE";
}
