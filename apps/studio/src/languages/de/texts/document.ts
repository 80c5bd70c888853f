import type { texts as english } from "../../../texts/document.ts";
import type { Translation } from "../../translation.ts";

export const texts = {
  consoleLoading: "Die Konsole wird geladen …",
  consoleNoScript: "Die Konsole braucht JavaScript. Die Befehle für Betreiber funktionieren ohne.",
  loading: "Studio wird geladen …",
  noScript: "Studio braucht JavaScript. Die API funktioniert ohne: siehe /docs.",
} satisfies Translation<typeof english>;
