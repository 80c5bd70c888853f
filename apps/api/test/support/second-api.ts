import type { Stack } from "@atelier/testing";

/** Starts a second API on the data of a stack, with its own settings and port. */
export async function startSecondApi(stack: Stack, settings: Readonly<Record<string, string>>) {
  const program = await stack.startApi({ ...settings, PORT: "0", ADMIN_PORT: "0" });
  return { url: `http://127.0.0.1:${program.ports.main}`, program };
}
