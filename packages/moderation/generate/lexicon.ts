import { writeFileSync } from "node:fs";
import { compileLexicon } from "./compile.ts";
import { encodeTables } from "../src/lexicon/index-file.ts";

/**
 * Writes data/lexicon.bin, the compiled vocabulary. Run it after changing vocabulary/, the concepts,
 * the languages or the normalisation of texts.
 *
 *   node packages/moderation/generate/lexicon.ts
 */
writeFileSync(new URL("../data/lexicon.bin", import.meta.url), encodeTables(compileLexicon()));
