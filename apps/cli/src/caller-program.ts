import { addCalls, addListModels } from "./calls/commands.ts";
import { findService } from "./calls/find-service.ts";
import { leaf } from "./calls/leaf.ts";
import type { CallFlags } from "./calls/call.ts";
import { createCommand } from "./create-command.ts";
import type { Program } from "./run-program.ts";
import { createRemoteVerifier } from "./verify/verify-remotely.ts";
import { verifyFiles } from "./verify/verify.ts";

/** The program of the package that `npm pack` makes: the commands of callers, for any service. */
export const callerProgram: Program = {
  name: "atelier",
  usesCurrentFolder: false,
  create(runners, output) {
    const program = createCommand("atelier", output).description(
      "Make images and stories with an Atelier service: ATELIER_URL, ATELIER_API_KEY.",
    );
    addCalls(program, runners.call);
    addListModels(program.command("models").description("list models"), runners.call);
    leaf(program, "verify", "find out where images come from, by the service")
      .argument("<path...>", "PNG, JPEG, WebP, AVIF, GIF or SVG files, or folders with some")
      .action((paths: string[], flags: CallFlags) =>
        runners.withEnvironment(async (environment) => {
          const { baseUrl } = await findService(flags, environment, callerProgram);
          return verifyFiles(paths, createRemoteVerifier(baseUrl));
        }, flags),
      );
    return program;
  },
};
