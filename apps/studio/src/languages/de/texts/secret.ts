import type { texts as english } from "../../../texts/secret.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";

export const texts = {
  ...shared,
  secret: {
    once: "Das wird nur einmal gezeigt. Kopieren Sie es jetzt und bewahren Sie es sicher auf.",
    overlap: "Das alte Geheimnis gilt noch",
    overlaps: {
      0: "Nicht mehr: Es endet jetzt",
      1: "1 Stunde",
      24: "24 Stunden",
      72: "3 Tage",
      168: "7 Tage",
    },
    rotate: "Erneuern",
    saved: "Ich habe es gespeichert",
  },
} satisfies Translation<typeof english>;
