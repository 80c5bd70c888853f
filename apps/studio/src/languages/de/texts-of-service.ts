/**
 * The German names and descriptions of models and skill files, by the English ones of the service. An
 * operator's own stay as they are.
 */
export const textsOfService = {
  "Built-in illustrator": "Eingebauter Illustrator",
  "Built-in patterns": "Eingebaute Muster",
  "Built-in graphics": "Eingebaute Grafiken",
  "Built-in upscaler (Lanczos with sharpening)":
    "Eingebaute Vergrößerung (Lanczos mit Nachschärfen)",
  "Built-in cut-out (flat backgrounds)": "Eingebautes Freistellen (einfarbige Hintergründe)",
  "Built-in tracer": "Eingebautes Nachzeichnen",
  "Built-in diagrams": "Eingebaute Diagramme",
  "Draws the words of the prompt as a layered vector scene.":
    "Zeichnet die Wörter des Prompts als Vektorszene in Schichten.",
  "Abstract ornaments from the colours of the prompt.":
    "Abstrakte Ornamente in den Farben des Prompts.",
  "Icons, logos and flat illustrations as SVG and PNG with alpha: pictograms of the illustrator's vocabulary, initials of a name, and geometric emblems for other words.":
    "Icons, Logos und flächige Illustrationen als SVG und als PNG mit Transparenz: Piktogramme aus dem Wortschatz des Illustrators, Initialen eines Namens und geometrische Embleme für andere Wörter.",
  "Makes images larger with Lanczos, and sharpens them.":
    "Vergrößert Bilder mit Lanczos und schärft sie nach.",
  "Makes a flat or nearly flat background transparent, with soft edges: a drawing, a product on paper.":
    "Macht einen einfarbigen oder fast einfarbigen Hintergrund transparent, mit weichen Kanten: eine Zeichnung, ein Produkt auf Papier.",
  "Traces logos, icons and flat drawings as SVG of up to 64 colours.":
    "Zeichnet Logos, Icons und flächige Zeichnungen als SVG mit bis zu 64 Farben nach.",
  "Lays out diagrams from words, DOT or Mermaid flowcharts with Graphviz, as SVG and as an image in the shape of the diagram.":
    "Ordnet Diagramme aus Worten, DOT oder Mermaid-Flussdiagrammen mit Graphviz an, als SVG und als Bild in der Form des Diagramms.",
  "FLUX.2 [pro], made by fal; up to 8 references.": "FLUX.2 [pro], von fal; bis zu 8 Referenzen.",
  "The open FLUX.2, made by fal; up to 4 references.":
    "Das offene FLUX.2, von fal; bis zu 4 Referenzen.",
  "FLUX.3, made by fal; up to 10 references.": "FLUX.3, von fal; bis zu 10 Referenzen.",
  "Repaints the area of a mask, made by fal; edits only.":
    "Malt den Bereich einer Maske neu, von fal; nur Bearbeitungen.",
  "Icons, logos and illustrations as SVG, made by fal.":
    "Icons, Logos und Illustrationen als SVG, von fal.",
  "FLUX.2 [pro], made by Replicate; up to 8 references.":
    "FLUX.2 [pro], von Replicate; bis zu 8 Referenzen.",
  "Drafts within seconds, made by Replicate.": "Entwürfe in Sekunden, von Replicate.",
  "Repaints the area of a mask, made by Replicate; edits only.":
    "Malt den Bereich einer Maske neu, von Replicate; nur Bearbeitungen.",
  "Icons, logos and illustrations as SVG, made by Replicate.":
    "Icons, Logos und Illustrationen als SVG, von Replicate.",
  "ByteDance's Seedream 4.5, reached with a key of OpenRouter; up to 10 references.":
    "Seedream 4.5 von ByteDance, über einen Schlüssel von OpenRouter; bis zu 10 Referenzen.",
  "ByteDance's Seedream 5.0 Lite at BytePlus ModelArk; up to 10 references.":
    "Seedream 5.0 Lite von ByteDance bei BytePlus ModelArk; bis zu 10 Referenzen.",
  "ByteDance's Seedream 5.0 Pro at BytePlus ModelArk; up to 10 references.":
    "Seedream 5.0 Pro von ByteDance bei BytePlus ModelArk; bis zu 10 Referenzen.",
  "Renders legible text and layouts.": "Setzt lesbaren Text und Layouts.",
  "Alibaba's Qwen-Image 3.0, for text in images; up to 3 references.":
    "Qwen-Image 3.0 von Alibaba, für Text in Bildern; bis zu 3 Referenzen.",
  "xAI's Grok Imagine; up to 3 references.": "Grok Imagine von xAI; bis zu 3 Referenzen.",
  "xAI's Grok Imagine with more detail; up to 3 references.":
    "Grok Imagine von xAI mit mehr Details; bis zu 3 Referenzen.",
  Diagrams: "Diagramme",
  Graphics: "Grafiken",
  "Image editing": "Bildbearbeitung",
  "Image generation": "Bilderzeugung",
  "Job history": "Auftragsverlauf",
  "Provenance check": "Herkunftsprüfung",
  "Story generation": "Geschichten",
  "Draws diagrams with Atelier from words, Graphviz or Mermaid flowcharts, as SVG or PNG.":
    "Zeichnet mit Atelier Diagramme aus Worten, Graphviz- oder Mermaid-Flussdiagrammen, als SVG oder PNG.",
  "Draws icons, logos and illustrations with Atelier as PNG with transparency, WebP or SVG.":
    "Zeichnet mit Atelier Icons, Logos und Illustrationen als PNG mit Transparenz, WebP oder SVG.",
  "Changes an image with Atelier, everywhere or inside a mask, or combines two to five images into one.":
    "Ändert mit Atelier ein Bild, überall oder innerhalb einer Maske, oder verbindet zwei bis fünf Bilder zu einem.",
  "Makes one to ten images from a text prompt with Atelier, and saves them as PNG, JPEG or WebP.":
    "Erstellt mit Atelier ein bis zehn Bilder aus einem Prompt und speichert sie als PNG, JPEG oder WebP.",
  "Lists jobs of Atelier, their cost and the balance, and downloads the images of earlier jobs again, one by one or as a ZIP file.":
    "Listet Aufträge von Atelier, ihre Kosten und das Guthaben auf und lädt die Bilder früherer Aufträge noch einmal herunter, einzeln oder als ZIP-Datei.",
  "Checks whether an image file was made by this account with Atelier, by which job and model, whether it was changed, and whether it still carries its C2PA manifest and its declaration as AI-generated or made by rules.":
    "Prüft, ob eine Bilddatei von diesem Konto mit Atelier erstellt wurde, von welchem Auftrag und Modell, ob sie verändert wurde und ob sie noch ihr C2PA-Manifest und ihre Kennzeichnung als KI-generiert oder nach Regeln erstellt trägt.",
  "Makes an illustrated story of 2 to 10 scenes with Atelier, with the same characters and locations in every scene.":
    "Erstellt mit Atelier eine bebilderte Geschichte aus 2 bis 10 Szenen, mit denselben Figuren und Orten in jeder Szene.",
};
