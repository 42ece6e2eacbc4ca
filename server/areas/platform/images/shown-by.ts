/**
 * How other areas show images, and say that they use them: one image in a column of a row, or several in a table of their
 * own, in order. What they declare here is a property, what a body takes for it, and the use that keeps images.
 */
import { embedded, embeddedOne, ref, refs } from '../../../kernel/api/kinds.ts';
import { raw } from '../../../kernel/db/sql.ts';
import { isNamedIn } from '../../../kernel/db/row.ts';
import type { Field } from '../../../kernel/api/field.ts';
import type { ImageUse } from './uses.ts';

const MOST = 20;

/** For bodies. Whether the caller may see the image is checked as for every reference. */
export const imageRef = () => ref('image').describe('The id of an image that was uploaded with `POST /images`.');
export const imageRefs = (max = MOST) =>
  refs('image', { max }).describe(
    'Ids of images that were uploaded with `POST /images`, in the order in which they are shown.',
  );

/** The image of a column; `idOf` where another expression over the row's alias finds it. */
export const shownImage = (idOf = (t: string) => raw(`${t}.image_id`)): Field<unknown> => embeddedOne('image', idOf);

/** A table `(provider_id, parent, image_id, position)`; the column of the parent is called after the table of the row. */
export interface ImageList {
  readonly table: string;
  readonly parent: string;
}

export const shownImages = ({ table, parent }: ImageList): Field<unknown[]> =>
  embedded('image', { table, parent, child: 'image_id', order: 'position' });

/** What is kept because rows of a table refer to it. */
export const usedIn = (table: string, resource: string, description: string, column = 'image_id'): ImageUse => ({
  name: table,
  description,
  resource,
  used: (image) => isNamedIn(table, column, image),
});
