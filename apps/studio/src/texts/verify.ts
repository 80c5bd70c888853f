import { texts as shared } from "../texts.ts";

/** Texts of the page Verify, and the shared texts. */
export const texts = {
  ...shared,
  verify: {
    another: "Check another picture",
    basis: "What this rests on",
    changes: {
      changed:
        "This file was changed after it was made. What it shows may differ from the original.",
      copy: "This is a copy, not the file that was delivered. What it shows may differ from the original in parts.",
    },
    checking: "Looking for marks in the picture…",
    choose: "Choose a picture",
    contradiction:
      "The file says that a camera or a person made this picture. That contradicts the record of this service: one of both is wrong, or this is a photograph of a picture that was made here.",
    counts: "(counts)",
    created: "Made",
    damaged: "The file is damaged, or has more than 40 megapixels. Choose the original file.",
    details: "Technical details",
    drop: "Drop a picture here, or paste it",
    emptyFile: "This file is empty. Choose another one.",
    formats: "PNG, JPEG, WebP, AVIF, GIF or SVG, up to 25 MB and 40 megapixels",
    formatsDelivered: "Delivered as",
    hash: "SHA-256 of a file",
    hashButton: "Look up",
    hashHint: "A file hash finds exact copies only. Checking the picture itself finds more.",
    hashProblem: "Enter the 64 digits and letters (0-9, a-f) of a SHA-256.",
    hashTitle: "Or look up a hash",
    heic: "This is a HEIC picture, as iPhones make them, which cannot be checked here. Save it as JPEG and check that one: the statement in the file is lost by this, but a hidden mark in the pixels is not.",
    layers: {
      manifest: {
        name: "Statement in the file",
        aside: "C2PA, Content Credentials",
        match:
          "The file says how it was made. Neither the picture nor the statement was changed since.",
        noMatch:
          "The file carries no statement. Many platforms remove it, and screenshots never have one.",
        invalid:
          "The file carries a statement, but the picture or the statement was changed afterwards. Do not rely on it.",
        notChecked: "Not checked.",
      },
      signature: {
        name: "Signature of the statement",
        aside: "Who vouches for it",
        match: (signer: string) => `Signed by ${signer}. This service trusts the signer.`,
        untrusted: (signer: string) =>
          `Signed by ${signer}. This service does not know the signer: anyone can create such a signature.`,
        noMatch: "Without a statement, there is no signature.",
        invalid: "The signature does not cover the file as it is now.",
        notChecked: "Not checked.",
      },
      watermark: {
        name: "Hidden mark in the pixels",
        aside: "Watermark",
        match:
          "The pixels contain a mark of this service. It survives most copies, but it can be moved onto another picture.",
        noMatch:
          "No mark of this service is readable. Heavy changes remove it, and other services use other marks.",
        invalid: "The mark cannot be read.",
        notChecked:
          "Not checked: the picture is too small or damaged, it is a drawing without pixels (SVG), or this service has no hidden mark.",
      },
      hash: {
        name: "This exact file in the registry",
        aside: "SHA-256",
        match: "Byte for byte, this is a file that this service delivered.",
        noMatch: "This service did not deliver this exact file. Saving a picture again changes it.",
        invalid: "The registry cannot be read.",
        notChecked: "Not checked.",
      },
      fingerprint: {
        name: "A picture that looks the same in the registry",
        aside: "Fingerprint",
        match:
          "A picture that this service made looks like this one. It confirms a mark; alone it proves nothing, because different pictures can look alike.",
        noMatch:
          "No picture of this service looks like this one. Crops and rotations are not recognised.",
        invalid: "The look of the picture cannot be compared.",
        notChecked: "Not checked: the picture is damaged, or a drawing without pixels (SVG).",
      },
      xmp: {
        name: "Note without a signature",
        aside: "XMP",
        match:
          "A note in the file says that it is synthetic. It is not signed: anyone can write it.",
        noMatch: "The file has no note that says that it is synthetic.",
        invalid: "The note cannot be read.",
        notChecked: "Not checked.",
      },
    },
    lead: "Where does a picture come from? This page looks for the marks that say so. The picture is not stored.",
    makings: {
      trained_model: "A trained model made it, or a part of it.",
      rules: "It was drawn by rules, without a trained model, and is marked as synthetic.",
      composite: "It is a composite: at least one of its elements is synthetic.",
    },
    model: "Model",
    next: "What to do next",
    nextOf: {
      made_here: [
        "You may say that this picture is synthetic: a machine made it.",
        "When you publish it, label it as generated, and keep this file with its marks.",
        "A caption or a text added to the picture is not part of this evidence.",
      ],
      mark_copied: [
        "Do not attribute the picture to this service: its mark comes from another picture.",
        "Ask the sender where the picture comes from. Somebody wanted it to look as if it was made here.",
        "Keep the file as it is: it is the evidence of the copied mark.",
      ],
      mark_found: [
        "Ask the sender for the original file, as it was downloaded: not a screenshot or a crop.",
        "Check the original here. Its look or a signature would confirm the mark.",
        "Until then, do not attribute the picture: a mark can be moved onto another picture.",
      ],
      ai_generated: [
        "Read who signed the statement. A statement without a trusted signature can be forged.",
        "Ask the service that is named whether it made the picture.",
        "Open the file in another C2PA reader, such as Content Credentials Verify, and compare.",
      ],
      similar_found: [
        "Do not attribute the picture: an original and its edited copy can look the same.",
        "Ask the sender for the original file, as it was made, and check that one here.",
        "Compare both pictures yourself: small differences, such as other digits, are not noticed.",
      ],
      unknown: [
        "Ask the sender for the original file, as it was made: messengers and platforms remove marks.",
        "Ask where and when the picture was made, and look for earlier copies with an image search.",
        "Check it with the verification pages of other services: each one reads only its own marks.",
      ],
    },
    noSigner: "an unnamed signer",
    onlyHash: "Not checked: only a hash was given, not the file.",
    otherKind:
      "This is not a PNG, JPEG, WebP, AVIF, GIF or SVG picture. Choose one, or look up the hash of the file.",
    photo: "The picture that was checked",
    record: "Record of this service",
    results: {
      match: "Found",
      no_match: "Not found",
      invalid: "Broken",
      not_checked: "Not checked",
    },
    label: "Label for a web page",
    copyLabel: "Copy the label",
    copiedRecord: "The picture of this service that the mark was copied from:",
    similarRecord: "The similar picture of this service:",
    stays: "This page never shows the name, prompt or account of the person who made the picture.",
    tooLarge: (size: string) =>
      `This file has ${size}. Choose a file of at most 25 MB, or look up its hash.`,
    unreadable: "The file was moved or deleted after it was chosen. Choose it again.",
    unread: "The picture could not be checked.",
    verdicts: {
      made_here: {
        name: "Made here",
        meaning: "This service made this picture. It is synthetic.",
      },
      mark_copied: {
        name: "The mark was copied",
        meaning:
          "The picture carries the mark of a picture of this service, but shows something else. Somebody copied the mark onto it. That says nothing about how this picture was made.",
      },
      mark_found: {
        name: "A mark was found",
        meaning:
          "The picture carries a mark of this service, but nothing else confirms it: too little of the picture can be compared, or it was changed much. Marks can also be copied onto other pictures.",
      },
      ai_generated: {
        name: "Marked as synthetic by someone else",
        meaning:
          "The file itself says that a machine made it. This service has no record of the picture.",
      },
      similar_found: {
        name: "A similar picture was found",
        meaning:
          "The picture looks like one that this service made. That says nothing about its origin: it may be the photograph that was edited here, or another picture that looks alike.",
      },
      unknown: {
        name: "Nothing found: inconclusive",
        meaning:
          "No mark was found. That says nothing about how the picture was made: a model may have made it, and its marks may have been removed.",
      },
    },
  },
};
