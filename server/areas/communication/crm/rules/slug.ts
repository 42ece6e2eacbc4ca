const MAX_LENGTH = 64;

/**
 * Returns the name that programs use for something that people named: `Très fidèle!` becomes `tres_fidele`. Null if
 * nothing remains, as with a name in another script.
 */
export function slugOf(name: string): string | null {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, MAX_LENGTH)
    .replace(/_+$/, '');
  return slug === '' ? null : slug;
}
