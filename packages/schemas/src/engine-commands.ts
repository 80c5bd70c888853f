/**
 * Commands that engines read from prompts: extra networks of AUTOMATIC1111 and Forge
 * (`<lora:name:1>`, `<hypernet:name:1>`; `modules/extra_networks.py` of stable-diffusion-webui 1.10
 * reads every `<word:…>`), LoRA of stable-diffusion.cpp (the same form), and the settings of its
 * OpenAI-shaped API (`<sd_cpp_extra_args>{…}</sd_cpp_extra_args>`). They choose files, steps, size and
 * batch of the operator's engine, which is not for prompts to do.
 */
const commandStart = /<(?=[\p{L}\p{N}_]+:|\/?sd_cpp_extra_args)([^<>]*)(>?)/giu;

/** Longest part of a command that is named. */
const nameLength = 60;

/** Names the engine commands of a text, such as `<lora:detail:1>`, each once. */
export function findEngineCommands(text: string): string[] {
  // The whole matches are found many times faster than their groups.
  const commands = [...new Set(text.match(commandStart))];
  const found = commands.flatMap((command) => {
    // The closing tag belongs to the opening one.
    if (command.startsWith("</")) return [];
    return [command.length > nameLength ? `${cut(command)}…` : command];
  });
  return [...new Set(found)];
}

/** Cuts a command between characters: half a surrogate pair could not be stored. */
function cut(command: string): string {
  return Array.from(command.slice(0, 2 * nameLength))
    .slice(0, nameLength)
    .join("");
}

/** Turns the engine commands of a text into plain words: `<lora:detail:1>` becomes `(lora:detail:1)`. */
export function withoutEngineCommands(text: string): string {
  return text.replaceAll(
    commandStart,
    (_whole, inner: string, end: string) => `(${inner}${end === "" ? "" : ")"}`,
  );
}
