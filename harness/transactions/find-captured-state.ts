import { parseSync } from "oxc-parser";

/** A node of a syntax tree, whose fields depend on its type. */
interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

/**
 * Finds variables of the surroundings that the callback of a `.transaction(…)` assigns. Such a callback may run again
 * after a run that was rolled back, whose values are still there.
 *
 * @param text of a TypeScript file.
 * @returns their names, each once.
 */
export function findCapturedState(text: string): string[] {
  const found = new Set<string>();
  visit(parseSync("file.ts", text).program, (node) => {
    const callee = node["callee"];
    if (node.type !== "CallExpression" || !isNode(callee)) return;
    if (nameOf(callee["property"]) !== "transaction") return;
    for (const callback of node["arguments"] as readonly unknown[]) {
      if (!isNode(callback) || !callback.type.includes("Function")) continue;
      const own = declaredIn(callback);
      for (const name of assignedIn(callback)) if (!own.has(name)) found.add(name);
    }
  });
  return [...found];
}

function declaredIn(callback: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (pattern: unknown) => visit(pattern, (node) => void names.add(nameOf(node) ?? ""));
  visit(callback, (node) => {
    if (node.type === "VariableDeclarator") add(node["id"]);
    if (node.type.includes("Function")) add(node["params"]);
  });
  return names;
}

function assignedIn(callback: Node): string[] {
  const names: string[] = [];
  visit(callback, (node) => {
    const isAssignment = node.type === "AssignmentExpression" || node.type === "UpdateExpression";
    if (!isAssignment) return;
    let target = node["left"] ?? node["argument"];
    while (isNode(target) && target.type === "MemberExpression") target = target["object"];
    const name = nameOf(target);
    if (name !== null) names.push(name);
  });
  return names;
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === "Identifier" ? String(node["name"]) : null;
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value as unknown[]) visit(one, see);
  if (!isNode(value)) return;
  see(value);
  for (const child of Object.values(value)) visit(child, see);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
