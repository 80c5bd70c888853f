import { texts as shared } from "../texts.ts";

/** Texts of the page Skills, and the shared texts. */
export const texts = {
  ...shared,
  skills: {
    again: "Download again",
    another: "Make another file",
    budget: "Budget (EUR, in total)",
    copyFile: (name: string) => `Copy ${name}`,
    createAndDownload: "Create key and download",
    days: "Days until it expires",
    daysHint: "Empty: it ends with the key that you are signed in with.",
    download: "Download without a key",
    empty: "No skill files",
    emptyHint: "The operator of this service has installed no templates.",
    formats: {
      "agent-skill": {
        assistant: "Claude Code",
        name: "Agent skill",
        hint: "Claude Code, Codex and others that follow the Agent Skills specification",
      },
      "agents-md": {
        assistant: "AGENTS.md",
        name: "AGENTS.md",
        hint: "Coding agents that read instructions from a project",
      },
      "cursor-rule": { assistant: "Cursor", name: "Cursor", hint: "A rule for the Cursor editor" },
      "mcp-config": {
        assistant: "MCP",
        name: "MCP client",
        hint: "Claude Desktop, VS Code and others with the Model Context Protocol",
      },
      openapi: {
        assistant: "OpenAPI",
        name: "OpenAPI",
        hint: "Tools that import an API, such as GPT actions",
      },
      curl: { assistant: "curl", name: "Shell script", hint: "Any terminal with curl" },
    },
    install: {
      "agent-skill":
        "Unpack it where the assistant looks for skills: ~/.claude/skills for Claude Code, ~/.agents/skills for Codex.",
      "agents-md": "Put it at the root of a project, or append it to the file there.",
      "cursor-rule": "Put it into .cursor/rules of a project.",
      "mcp-config": "Merge it into the configuration of the client, such as .mcp.json.",
      openapi: "Import it into the tool.",
      curl: "Run it with sh, a prompt and the name of the image.",
    },
    key: "Key",
    keyChoice: "The key in the file",
    keyLead:
      "The assistant spends with the key in its file. A key of its own limits that, and can be revoked alone.",
    keyName: (assistant: string) => `Skill for ${assistant}`,
    keyOnce:
      "The file contains the key, which is shown only here and now. Do not commit or share it. Revoke the key on the page Keys if it leaks.",
    lead: "A skill file teaches an assistant to make images, make stories or check files with this service.",
    limitedKey: "A new, limited key",
    name: "Name",
    noKey: "No key",
    noKeyText: "The file contains YOUR_API_KEY, which you replace by a key that you have.",
    preview: "Preview",
    previewLead: "The file as it will be, with YOUR_API_KEY in place of the key.",
    previewOf: (hasKey: boolean) =>
      hasKey ? "The file that was downloaded, with its key." : "The file that was downloaded.",
    saved: (name: string) => `${name} was downloaded.`,
    what: "What should it do?",
    where: "Which assistant?",
  },
};
