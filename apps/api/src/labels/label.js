/* global settings */
// The web component <atelier-label>. `settings` is written before this file by the service.

class AtelierLabel extends HTMLElement {
  static observedAttributes = ["lang", "icon", "href"];

  connectedCallback() {
    this.show();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.show();
  }

  show() {
    const requested = this.closest("[lang]")?.getAttribute("lang") ?? "en";
    const [language = "en"] = requested.toLowerCase().split("-");
    const shown = Object.hasOwn(settings.texts, language) ? language : "en";
    const { statement, link } = settings.texts[shown];

    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    // Not an element: policies of pages often forbid those.
    const style = new CSSStyleSheet();
    style.replaceSync(settings.style);
    root.adoptedStyleSheets = [style];
    const label = document.createElement("span");
    label.setAttribute("part", "label");
    label.setAttribute("lang", shown);
    label.setAttribute("role", "note");
    const icon = this.getAttribute("icon");
    if (icon !== null) {
      const image = document.createElement("img");
      image.setAttribute("alt", "AI");
      image.setAttribute("src", icon);
      label.append(image, " ");
    }
    const anchor = document.createElement("a");
    anchor.setAttribute("href", this.getAttribute("href") ?? settings.verifyUrl);
    anchor.textContent = link;
    label.append(statement, " ", anchor);
    root.replaceChildren(label);
  }
}

if (customElements.get("atelier-label") === undefined) {
  customElements.define("atelier-label", AtelierLabel);
}
