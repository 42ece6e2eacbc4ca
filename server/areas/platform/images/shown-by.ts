/**
 * The ways in which other areas show images and declare that they use them: one image in a column of a row, or several
 * in a separate table, in order. They declare a property, the body field for it, and the use that keeps images from
 * being deleted.
 */
import {
  embedded,
  embeddedOne,
  id,
  integer,
  listOf,
  object,
  ref,
  refs,
  uri,
} from '../../../kernel/base/fields/kinds.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { addressesOf, type Stored } from './addresses.ts';
import { source } from './image.ts';
import { isNamedIn } from '../../../kernel/work/unit/row.ts';
import type { Field } from '../../../kernel/base/fields/field.ts';
import type { ImageUse } from './uses.ts';

const MAX_USES = 20;

/** Returns the field for bodies. Access to the image is checked as for every reference. */
export const imageRef = () => ref('image').describe('The id of an image that was uploaded with `POST /images`.');
export const imageRefs = (max = MAX_USES) =>
  refs('image', { max }).describe(
    'Ids of images that were uploaded with `POST /images`, in the order in which they are shown.',
  );

/** Returns a property for the image of a column; `idOf` if a different expression over the row's alias finds it. */
export const shownImage = (idOf = (t: string) => raw(`${t}.image_id`)): Field<unknown> => embeddedOne('image', idOf);

/** Selects the image with this id, for the business of the row `t`, as JSON of `StoredImage`; null if there is none. */
export const storedImage = (t: string, idOf: Sql): Sql =>
  sql`
    (SELECT json_build_object('id', i.id, 'provider', i.provider_id, 'key', i.key, 'widths', i.widths, 'width', i.width,
      'height', i.height, 'fallback', i.fallback, 'originalWidth', i.original_width, 'originalHeight',
      i.original_height)
    FROM image i WHERE i.provider_id = ${raw(t)}.provider_id AND i.id = ${idOf})`;

export interface StoredImage extends Stored {
  readonly id: number;
  readonly originalWidth: number;
  readonly originalHeight: number;
}

/** Returns a property like `shownImage`, for data read across businesses, which can't link to objects of one. */
export const imageHere = (idOf: (t: string) => Sql) =>
  object({
    id: id(),
    url: uri(),
    original_width: integer({ min: 1 }),
    original_height: integer({ min: 1 }),
    sources: listOf(object(source)),
  })
    .computed(
      (t) => [storedImage(t, idOf(t))],
      ([text], { pagesUrl }) => {
        if (text === null) return null;
        const stored: StoredImage = JSON.parse(text);
        const { id, originalWidth: original_width, originalHeight: original_height } = stored;
        return { id, original_width, original_height, ...addressesOf(stored, pagesUrl) };
      },
    )
    .nullable();

/**
 * A table `(provider_id, parent, image_id, position)`; the column of the parent is named after the table of the row.
 */
interface ImageList {
  readonly table: string;
  readonly parent: string;
}

export const shownImages = ({ table, parent }: ImageList): Field<unknown[]> =>
  embedded('image', { table, parent, child: 'image_id', order: 'position' });

/** Declares a use: images that rows of a table refer to are kept. */
export const usedIn = (table: string, resource: string, description: string, column = 'image_id'): ImageUse => ({
  name: `${table}.${column}`,
  description,
  resource,
  used: (image) => isNamedIn(table, column, image),
});
