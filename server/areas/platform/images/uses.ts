/** Who uses images: areas after this one fill the port, and an image that none of them uses is deleted. */
import { Port } from '../../../kernel/base/fields/port.ts';
import type { Sql } from '../../../kernel/base/db/sql.ts';

export interface ImageUse {
  readonly name: string;
  readonly description: string;
  /** the resource that shows the image */
  readonly resource: string;
  /** whether a row of theirs refers to the image of this alias; they also have a foreign key, so that none is lost */
  readonly used: (image: string) => Sql;
}

export const imageUses = new Port<ImageUse>('use of images', ({ resource }) => resource);
