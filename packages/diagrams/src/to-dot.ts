import type { Graph, Shape } from "./graph.ts";

const shapes: Readonly<Record<Shape, string>> = {
  box: 'shape=box style="filled"',
  round: 'shape=box style="filled,rounded"',
  circle: 'shape=ellipse style="filled"',
  diamond: 'shape=diamond style="filled"',
  cylinder: 'shape=cylinder style="filled"',
  hexagon: 'shape=hexagon style="filled"',
};
const rankDirections = { right: "LR", down: "TB", left: "RL", up: "BT" } as const;

/** The default look of every diagram, as attributes of the graph, its nodes and its edges. */
export function defaultAttributes(palette: readonly string[]): string {
  const [ink = "#3b5b8c", fill = "#e8eef7"] = palette;
  const text = readableOn(fill);
  const font = 'fontname="Helvetica"';
  return [
    `graph [${font} fontsize=12 fontcolor="#4a5563" color="#9aa5b4" pad=0.3 nodesep=0.4 ranksep=0.6]`,
    `node [${font} fontsize=14 fontcolor="${text}" color="${ink}" fillcolor="${fill}" penwidth=1.4 margin="0.2,0.12"]`,
    `edge [${font} fontsize=12 fontcolor="#4a5563" color="${ink}" penwidth=1.2 arrowsize=0.8]`,
  ].join("\n");
}

/** Converts a graph to Graphviz' language. Further colours of the palette fill the nodes in turn. */
export function toDot(
  graph: Graph,
  direction: Graph["direction"],
  palette: readonly string[],
): string {
  const fills = palette.slice(1);
  const ids = new Map(graph.nodes.map(({ id }, index) => [id, `n${index}`]));
  const nodes = graph.nodes.map(({ label, shape }, index) => {
    const fill = fills[index % Math.max(1, fills.length)];
    const colours =
      fill === undefined ? "" : ` fillcolor="${fill}" fontcolor="${readableOn(fill)}"`;
    return `n${index} [label=${quote(label)} ${shapes[shape]}${colours}]`;
  });
  const edges = graph.edges.map(({ from, to, label, line, hasArrow }) => {
    const style = line === "bold" ? "penwidth=2.4" : `style=${line}`;
    const head = hasArrow ? "" : " dir=none";
    return `${ids.get(from)} -> ${ids.get(to)} [label=${quote(label === "" ? "" : ` ${label} `)} ${style}${head}]`;
  });
  const groups = graph.groups.map(
    ({ label, nodes: members }, index) =>
      `subgraph cluster_${index} { label=${quote(label)} style=rounded ${members.map((id) => `${ids.get(id)};`).join(" ")} }`,
  );
  return [
    "digraph {",
    `rankdir=${rankDirections[direction ?? graph.direction ?? "right"]}`,
    defaultAttributes(palette),
    ...nodes,
    ...groups,
    ...edges,
    "}",
  ].join("\n");
}

/** Escapes a label: Graphviz reads backslashes as commands such as `\N`. */
function quote(label: string): string {
  const escaped = label
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\r", "")
    .replaceAll("\n", "\\n");
  return `"${escaped}"`;
}

/** Black or white, whichever has more contrast (WCAG 2.2, relative luminance). */
function readableOn(colour: string): string {
  const value = Number.parseInt(colour.slice(1), 16);
  const [red = 0, green = 0, blue = 0] = [value >> 16, value >> 8, value].map((part) => {
    const share = (part & 255) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#1b2430" : "#ffffff";
}
