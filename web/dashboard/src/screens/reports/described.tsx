/** Renders the description of a report in the language of the user; names in backticks are code. */
export function Described({ text }: { readonly text: string }) {
  return text.split('`').map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part));
}
