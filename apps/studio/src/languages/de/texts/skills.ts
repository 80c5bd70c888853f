import type { texts as english } from "../../../texts/skills.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";

export const texts = {
  ...shared,
  skills: {
    again: "Noch einmal herunterladen",
    another: "Weitere Datei erstellen",
    budget: "Budget (EUR, insgesamt)",
    copyFile: (name: string) => `${name} kopieren`,
    createAndDownload: "Schlüssel erstellen und herunterladen",
    days: "Läuft ab nach (Tage)",
    daysHint: "Leer: Er endet mit dem Schlüssel, mit dem Sie angemeldet sind.",
    download: "Ohne Schlüssel herunterladen",
    empty: "Keine Skill-Dateien",
    emptyHint: "Der Betreiber dieses Dienstes hat keine Skill-Dateien installiert.",
    formats: {
      "agent-skill": {
        assistant: "Claude Code",
        name: "Agent Skill",
        hint: "Claude Code, Codex und andere, die der Agent-Skills-Spezifikation folgen",
      },
      "agents-md": {
        assistant: "AGENTS.md",
        name: "AGENTS.md",
        hint: "Programmierassistenten, die Anweisungen eines Projekts lesen",
      },
      "cursor-rule": {
        assistant: "Cursor",
        name: "Cursor",
        hint: "Eine Regel für den Editor Cursor",
      },
      "mcp-config": {
        assistant: "MCP",
        name: "MCP-Client",
        hint: "Claude Desktop, VS Code und andere mit dem Model Context Protocol",
      },
      openapi: {
        assistant: "OpenAPI",
        name: "OpenAPI",
        hint: "Werkzeuge, die eine API importieren, etwa GPT-Actions",
      },
      curl: { assistant: "curl", name: "Shell-Skript", hint: "Jedes Terminal mit curl" },
    },
    install: {
      "agent-skill":
        "Entpacken Sie sie dort, wo der Assistent Skills sucht: ~/.claude/skills für Claude Code, ~/.agents/skills für Codex.",
      "agents-md":
        "Legen Sie sie in den obersten Ordner eines Projekts, oder hängen Sie sie an die vorhandene Datei an.",
      "cursor-rule": "Legen Sie sie in den Ordner .cursor/rules eines Projekts.",
      "mcp-config": "Fügen Sie sie in die Konfiguration des Clients ein, etwa .mcp.json.",
      openapi: "Importieren Sie sie in das Werkzeug.",
      curl: "Starten Sie sie mit sh, einem Prompt und dem Namen des Bildes.",
    },
    key: "Schlüssel",
    keyChoice: "Der Schlüssel in der Datei",
    keyLead:
      "Der Assistent bezahlt mit dem Schlüssel in seiner Datei. Ein eigener Schlüssel begrenzt das und lässt sich einzeln widerrufen.",
    keyName: (assistant: string) => `Skill für ${assistant}`,
    keyOnce:
      "Die Datei enthält den Schlüssel, der nur hier und jetzt gezeigt wird. Checken Sie sie nicht ein und geben Sie sie nicht weiter. Widerrufen Sie den Schlüssel auf der Seite „Schlüssel“, wenn er bekannt wird.",
    lead: "Eine Skill-Datei zeigt einem Assistenten, wie er mit diesem Dienst Bilder und Geschichten erstellt oder Dateien prüft.",
    limitedKey: "Ein neuer, begrenzter Schlüssel",
    name: "Name",
    noKey: "Kein Schlüssel",
    noKeyText: "Die Datei enthält YOUR_API_KEY. Ersetzen Sie das durch einen Ihrer Schlüssel.",
    preview: "Vorschau",
    previewLead: "Die Datei, wie sie sein wird, mit YOUR_API_KEY anstelle des Schlüssels.",
    previewOf: (hasKey: boolean) =>
      hasKey ? "Die heruntergeladene Datei, mit ihrem Schlüssel." : "Die heruntergeladene Datei.",
    saved: (name: string) => `${name} wurde heruntergeladen.`,
    what: "Was soll der Assistent tun?",
    where: "Welcher Assistent?",
  },
} satisfies Translation<typeof english>;
