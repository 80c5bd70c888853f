/** SQL that joins the copy of an image that is kept, if there is one, as `kept`. */
export function keptCopy(image: string): string {
  return `LEFT JOIN kept_file AS kept ON kept.render_id = ${image}.render_id AND kept.format = ${image}.format
    AND kept.source_key IS NULL AND kept.deleted_at IS NULL`;
}
