/** Names of tables and columns as SQL text. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function qualified({ schema, name }: { schema: string; name: string }): string {
  return `${quote(schema)}.${quote(name)}`;
}
