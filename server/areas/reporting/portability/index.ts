import { erase } from './erase.ts';
import { personalData } from './personal-data.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { dataOf } from './personal-data.ts';

/** Owns no table: what there is about a person is said by the owners of all tables. */
export const portability: Area = {
  name: 'portability',
  description: 'What the business has about a person: their data as a file, and erasing them.',
  endpoints: [personalData, erase],
};
