/** What the interface says of a report, in the language of the person; names that it sets in backticks are code. */
export function Described({ text }: { readonly text: string }) {
  return text.split('`').map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part));
}
