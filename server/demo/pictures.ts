/** The pictures of the demo studio, as they were made of its drawings (`demo-drawings.ts`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressesOf, createImage, fileEndings, type Drawn } from '../areas/platform/images/index.ts';
import type { Work } from '../kernel/work/unit/work.ts';

export const PICTURES = fileURLToPath(new URL('pictures', import.meta.url));
export const INDEX = 'index.json';

export interface Made extends Omit<Drawn, 'files'> {
  readonly name: string;
  /** the sum of its drawing */
  readonly drawing: string;
}

type DemoPictures = ReadonlyMap<string, Drawn>;

export const fileOf = (name: string, { width, ending }: { readonly width: number; readonly ending: string }): string =>
  `${name.toLowerCase().replaceAll(' ', '-')}-${width}.${ending}`;

export const readIndex = (): Made[] => JSON.parse(readFileSync(join(PICTURES, INDEX), 'utf8'));

export const readPictures = (): DemoPictures =>
  new Map(
    readIndex().map(({ name, ...made }) => {
      const files = made.widths.flatMap((width) =>
        fileEndings(made).map((ending) => {
          const file = { width, ending };
          return { ...file, bytes: readFileSync(join(PICTURES, fileOf(name, file))) };
        }),
      );
      return [name, { ...made, files }];
    }),
  );

/** A function that returns the image for a name. */
export type ShownOf = (name: string) => { readonly id: number; readonly url: string };

export async function placePictures(work: Work, pictures: DemoPictures): Promise<ShownOf> {
  const placed = new Map<string, { id: number; url: string }>();
  for (const [name, drawn] of pictures) {
    const image = await createImage(work, drawn);
    placed.set(name, { id: image.id, url: addressesOf(image, work.installation.baseUrl).url });
  }
  return (name) => placed.get(name)!;
}
