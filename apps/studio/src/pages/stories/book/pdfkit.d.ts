/** The part of PDFKit that books use; the package has no types of its own. */
declare module "pdfkit" {
  interface TextOptions {
    readonly width?: number;
    readonly align?: "left" | "center";
    readonly lineGap?: number;
  }
  interface StructureElement {
    add(content: StructureElement | (() => void)): StructureElement;
    end(): StructureElement;
  }
  export interface PdfImage {
    readonly width: number;
    readonly height: number;
  }
  export class PDFDocument {
    constructor(options: {
      readonly size: readonly [number, number];
      readonly margin: number;
      readonly font: Uint8Array;
      readonly lang?: string;
      readonly tagged?: true;
      readonly subset?: "PDF/A-2a";
      readonly displayTitle?: true;
      readonly pdfVersion?: "1.7";
      readonly autoFirstPage?: false;
      readonly info?: Readonly<Record<string, string>>;
    });
    info: Readonly<Record<string, unknown>>;
    /** Writes the metadata of `info` as XMP. */
    endMetadata(): void;
    on(event: "pageAdded", listener: () => void): this;
    readonly page: { readonly dictionary: { readonly data: Record<string, unknown> } };
    addPage(): this;
    markContent(tag: "Artifact"): this;
    endMarkedContent(): this;
    save(): this;
    restore(): this;
    rect(x: number, y: number, width: number, height: number): this;
    clip(): this;
    fillColor(colour: string, opacity?: number): this;
    fill(): this;
    fontSize(size: number): this;
    heightOfString(text: string, options: TextOptions): number;
    text(text: string, x: number, y: number, options: TextOptions): this;
    openImage(bytes: Uint8Array): PdfImage;
    image(
      image: PdfImage,
      x: number,
      y: number,
      options: { readonly width: number; readonly height: number },
    ): this;
    struct(
      type: string,
      options?: { readonly alt?: string },
      content?: (() => void) | readonly StructureElement[],
    ): StructureElement;
    addStructure(element: StructureElement): this;
    end(): this;
  }
}

declare module "pdfkit/output" {
  import type { PDFDocument } from "pdfkit";
  export function toBlob(document: PDFDocument): Promise<Blob>;
}
