/**
 * The name of a question in conditions and files, made from its label: `Emergency contact` becomes `emergency_contact`.
 */
const MAX_KEY = 32;

export function keyFrom(label: string): string {
  const plain = label
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_KEY)
    .replaceAll(/^_+|_+$/g, '');
  return plain || 'field';
}
