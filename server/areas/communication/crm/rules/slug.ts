const LONGEST = 64;

/**
 * What programs call something that people named: `Très fidèle!` is `tres_fidele`. Null where nothing is left, as of a
 * name in another script.
 */
export function slugOf(name: string): string | null {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, LONGEST)
    .replace(/_+$/, '');
  return slug === '' ? null : slug;
}
