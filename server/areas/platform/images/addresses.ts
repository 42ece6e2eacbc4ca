/** Addresses of the files of an image, in the store and on the web. Pure. */

export const TYPES = ['image/avif', 'image/webp', 'image/jpeg', 'image/png'] as const;
type Type = (typeof TYPES)[number];

/** Content types by file extension. */
export const TYPE_OF: Readonly<Record<string, Type>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
};

/** An image as it is stored; `key` is in its address, and can't be guessed. */
export interface Stored {
  readonly provider: number;
  readonly key: string;
  /** widths of its sizes, from the smallest to the largest */
  readonly widths: readonly number[];
  /** width of the largest size */
  readonly width: number;
  readonly height: number;
  readonly fallback: 'jpg' | 'png';
}

export const FOLDER = 'images';

/**
 * Folder with one entry for each upload that has begun, until it is known whether its row was committed: see
 * `sweep.ts`.
 */
export const BEGUN = `${FOLDER}/begun`;

export const folderOf = ({ provider, key }: Pick<Stored, 'provider' | 'key'>): string => `${FOLDER}/${provider}/${key}`;

export const fileOf = (of: Pick<Stored, 'provider' | 'key'>, width: number, ending: string): string =>
  `${folderOf(of)}/${width}.${ending}`;

/** Returns the height of the picture at this width; never 0. */
export const heightAt = ({ width, height }: Pick<Stored, 'width' | 'height'>, at: number): number =>
  Math.max(1, Math.round((height * at) / width));

export const fileEndings = ({ fallback }: Pick<Stored, 'fallback'>): readonly string[] => ['avif', 'webp', fallback];

interface Source {
  readonly type: Type;
  readonly width: number;
  readonly height: number;
  readonly url: string;
}

export function addressesOf(stored: Stored, base: string): { url: string; sources: Source[] } {
  const at = (width: number, ending: string) => `${base}/${fileOf(stored, width, ending)}`;
  return {
    url: at(stored.width, stored.fallback),
    sources: fileEndings(stored).flatMap((ending) =>
      stored.widths.map((width) => ({
        type: TYPE_OF[ending],
        width,
        height: heightAt(stored, width),
        url: at(width, ending),
      })),
    ),
  };
}
