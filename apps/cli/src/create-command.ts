import { Command, type OutputConfiguration } from "commander";
import packageJson from "../package.json" with { type: "json" };

/**
 * Creates a command line without commands. It never ends the process.
 *
 * @param name how it is started, such as `npm run atelier --`.
 */
export function createCommand(name: string, output: OutputConfiguration): Command {
  return new Command(name)
    .version(packageJson.version, "--version", "print the version")
    .exitOverride()
    .configureOutput(output)
    .showSuggestionAfterError();
}
