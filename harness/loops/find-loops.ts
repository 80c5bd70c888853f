import { parseSync } from "oxc-parser";

/** A node of a syntax tree, whose fields depend on its type. */
interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** A loop whose first failing item ends it. */
export interface Loop {
  /** The function that it is in; empty outside of functions. */
  readonly name: string;
  readonly line: number;
}

/**
 * Finds loops that wait for something in each turn, and end with the first failure: `for (… of …)` with an
 * `await` that is neither in a `try` whose `catch` throws nothing nor of a promise with `.catch(…)`, and
 * `Promise.all(….map(…))` whose promises have no `.catch(…)`.
 *
 * @param text of a TypeScript file.
 */
export function findUnsettledLoops(text: string): Loop[] {
  const found: Loop[] = [];
  const add = (name: string, { start }: Node) =>
    found.push({ name, line: text.slice(0, start).split("\n").length });

  function visit(value: unknown, name: string): void {
    if (Array.isArray(value)) for (const one of value as unknown[]) visit(one, name);
    if (!isNode(value)) return;
    if (value.type === "ForOfStatement" && hasUnsettledWait(value["body"])) add(name, value);
    if (isUnsettledAll(value)) add(name, value);
    for (const child of Object.values(value)) visit(child, nameOf(value) ?? name);
  }

  function isUnsettledAll(node: Node): boolean {
    if (node.type !== "CallExpression" || sourceOf(node["callee"]) !== "Promise.all") return false;
    const [list] = node["arguments"] as readonly unknown[];
    const isMapped = isCallOf(list, "map") || isCallOf(list, "from");
    return isMapped && !sourceOf(list).includes(".catch(");
  }

  function sourceOf(node: unknown): string {
    return isNode(node) ? text.slice(node.start, node.end) : "";
  }

  visit(parseSync("file.ts", text).program, "");
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** Whether a node is a call of a method with this name. */
function isCallOf(node: unknown, method: string): boolean {
  if (!isNode(node) || node.type !== "CallExpression") return false;
  const callee = node["callee"];
  if (!isNode(callee) || callee.type !== "MemberExpression") return false;
  const property = callee["property"];
  return isNode(property) && property["name"] === method;
}

/** The name that a node gives to the function in it. */
function nameOf(node: Node): string | undefined {
  const isNaming =
    node.type === "FunctionDeclaration" ||
    (node.type === "VariableDeclarator" && isFunction(node["init"])) ||
    (node.type === "Property" && isFunction(node["value"]));
  const named = node[node.type === "Property" ? "key" : "id"];
  return isNaming && isNode(named) ? String(named["name"]) : undefined;
}

function isFunction(node: unknown): boolean {
  return isNode(node) && /Function/.test(node.type);
}

/** Whether a part of a function waits for something whose failure ends the function. */
function hasUnsettledWait(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnsettledWait);
  if (!isNode(value) || isFunction(value)) return false;
  if (value.type === "AwaitExpression" && !isCallOf(value["argument"], "catch")) return true;
  if (value.type === "ForOfStatement" && value["await"] === true) return true;
  if (value.type === "TryStatement") {
    const handler = value["handler"];
    const settles = isNode(handler) && !throws(handler) && !hasUnsettledWait(handler);
    return (!settles && hasUnsettledWait(value["block"])) || hasUnsettledWait(value["finalizer"]);
  }
  return Object.values(value).some(hasUnsettledWait);
}

function throws(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(throws);
  if (!isNode(value) || isFunction(value)) return false;
  return value.type === "ThrowStatement" || Object.values(value).some(throws);
}
