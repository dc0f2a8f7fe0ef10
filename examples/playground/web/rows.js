/**
 * unpack turns the bits of Rows.held, which JSON has in base64, into a list.
 * @param {{held: string|number[]}} rows are changed
 */
export function unpack(rows) {
  if (typeof rows.held === "string") rows.held = Uint8Array.from(atob(rows.held), (c) => c.charCodeAt(0));
}
