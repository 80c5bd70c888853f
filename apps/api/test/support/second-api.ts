import type { Stack } from "@atelier/testing";
import { eventually } from "./eventually.ts";

/** Starts a second API process on the data of a stack, with its own settings and port. */
export async function startSecondApi(stack: Stack, settings: Readonly<Record<string, string>>) {
  const program = await stack.startApi({ ...settings, PORT: "0", ADMIN_PORT: "0" });
  const [, port] = await eventually(
    async () => /"port":(\d+),.*"api ready"/.exec(await program.log()) ?? [],
    ([line]) => line !== undefined,
  );
  return { url: `http://127.0.0.1:${port}`, program };
}
