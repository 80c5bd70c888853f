import { encodeForm } from "../http/multipart.ts";
import type { DescribedBody } from "./description.ts";
import {
  fillTemplate,
  isFile,
  type TemplateFile,
  type TemplateValue,
  type TemplateValues,
} from "./template.ts";

type Field = readonly [name: string, value: string | TemplateFile];

/** Encodes the body of a request with its content type. */
export function encodeBody(
  { form, json, json_field: jsonField }: DescribedBody,
  values: TemplateValues,
): { readonly contentType: string; readonly body: string | Uint8Array } {
  const jsonText = json === undefined ? null : JSON.stringify(fillTemplate(json, values));
  if (form === undefined) return { contentType: "application/json", body: jsonText ?? "" };
  const filled = fillTemplate(form, values) as Readonly<Record<string, TemplateValue>>;
  const fields = Object.entries(filled).flatMap(([name, value]) => fieldsOf(name, value));
  if (jsonText !== null && jsonField !== undefined) fields.unshift([jsonField, jsonText]);
  return encodeForm(fields);
}

/** The parts of a form for one field. Values that are not texts are sent as JSON. */
function fieldsOf(name: string, value: TemplateValue): Field[] {
  if (Array.isArray(value)) {
    return (value as readonly TemplateValue[]).flatMap((one) => fieldsOf(name, one));
  }
  if (isFile(value)) return [[name, value]];
  return [[name, typeof value === "string" ? value : JSON.stringify(value)]];
}
