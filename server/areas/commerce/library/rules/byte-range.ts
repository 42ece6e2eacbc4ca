/** The part of a file that a player asks for: one range of bytes, as in RFC 9110. */

export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the requested range of a file of this size; null: the whole file, because none was requested, or several; or
 * `unsatisfiable` if nothing of the file is in it.
 */
export function rangeIn(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === undefined || (from === '' && to === '')) return null;
  const [first, last] =
    from === '' ? [Math.max(0, size - Number(to)), size - 1] : [Number(from), to === '' ? size - 1 : Number(to)];
  if (first >= size || last < first) return 'unsatisfiable';
  return { first, last: Math.min(last, size - 1) };
}
