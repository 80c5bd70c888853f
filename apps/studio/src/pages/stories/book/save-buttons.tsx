import { useMutation } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { messageOf } from "../../../api.ts";
import { saveFile } from "../../../data/save-file.ts";
import { ShareButton } from "../../../pictures/share-button.tsx";
import { texts } from "../../../texts/book.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { loadLater } from "../../../ui/load-later.ts";
import { showToast } from "../../../ui/toast.tsx";
import { fileName } from "../file-name.ts";
import type { StoryImage } from "../story-cards.ts";
import styles from "./book.module.css";
import { mm } from "./page-layout.ts";
import type { PrintedStory } from "./print-dialog.tsx";

const PrintDialog = loadLater(async () => (await import("./print-dialog.tsx")).PrintDialog);

/** Saves the book as a file. The code that writes it is loaded at the first use. */
export function SaveButtons(
  props: PrintedStory & {
    /** Descriptions of the pictures, by position of the scene from 1. */
    readonly descriptions: ReadonlyMap<number, string>;
    /** The characters in the order of the story. */
    readonly portraits: readonly StoryImage[];
    /** The paragraphs of the last page. */
    readonly imprint: readonly string[];
  },
) {
  const { descriptions, portraits, imprint, ...story } = props;
  const { job, book } = story;
  const [isPrinting, setIsPrinting] = useState(false);
  const saving = useMutation({
    mutationFn: async (format: "pdf" | "print" | "html") => {
      const { readContent } = await import("./book-content.ts");
      const content = await readContent(job, book, { imprint, descriptions, portraits });
      const file =
        format === "html"
          ? await (await import("./write-html.ts")).writeHtml(content)
          : await (
              await import("./write-pdf.ts")
            ).writePdf(content, { bleedMm: format === "print" ? mm.bleed : 0 });
      const ending = { html: ".html", pdf: ".pdf", print: "-print.pdf" }[format];
      saveFile(`${fileName(book.title, "book")}${ending}`, file);
    },
    onError: (error) => showToast(messageOf(error)),
  });
  return (
    <div className={styles.actions}>
      {saving.isPending && <span role="status">{texts.book.saving}</span>}
      <ShareButton job={job} />
      <Button disabled={saving.isPending} onClick={() => saving.mutate("html")}>
        <Icon name="code" size={16} /> {texts.book.saveHtml}
      </Button>
      <Button
        title={texts.book.savePrintHint}
        disabled={saving.isPending}
        onClick={() => setIsPrinting(true)}
      >
        <Icon name="file" size={16} /> {texts.book.savePrint}
      </Button>
      <Button look="primary" disabled={saving.isPending} onClick={() => saving.mutate("pdf")}>
        <Icon name="download" size={16} /> {texts.book.savePdf}
      </Button>
      {isPrinting && (
        <Suspense fallback={null}>
          <PrintDialog
            {...story}
            isSaving={saving.isPending}
            onSave={() => saving.mutate("print", { onSuccess: () => setIsPrinting(false) })}
            onClose={() => setIsPrinting(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
