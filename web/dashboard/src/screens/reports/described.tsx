/** What the interface says of a report, in English; names that it sets in backticks are code. */
export function Described({ text }: { readonly text: string }) {
  return <span lang="en">{text.split('`').map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}</span>;
}
