import { texts as shared } from "../texts.ts";

/** Texts of the dialogs that show and rotate secrets, and the shared texts. */
export const texts = {
  ...shared,
  secret: {
    once: "This is shown only once. Copy it now and store it in a safe place.",
    overlap: "The old secret works for",
    overlaps: {
      0: "No longer: it ends now",
      1: "1 hour",
      24: "24 hours",
      72: "3 days",
      168: "7 days",
    },
    rotate: "Rotate",
    saved: "I have stored it",
  },
};
