/** The users of images: later areas fill the port, and an image that none of them uses is deleted. */
import { Port } from '../../../kernel/base/fields/port.ts';
import type { Sql } from '../../../kernel/base/db/sql.ts';

export interface ImageUse {
  readonly name: string;
  readonly description: string;
  /** the resource that shows the image */
  readonly resource: string;
  /**
   * condition: one of its rows refers to the image of this alias. These columns also have a foreign key, so that no
   * image is lost
   */
  readonly used: (image: string) => Sql;
}

export const imageUses = new Port<ImageUse>('use of images', ({ resource }) => resource);
