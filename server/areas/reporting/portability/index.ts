import { discard, discarding } from './discard.ts';
import { goLive } from './go-live.ts';
import { erase } from './erase.ts';
import { personalData } from './personal-data.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { dataOf } from './personal-data.ts';

/** Owns no table: the owners of all tables declare which rows are about a person. */
export const portability: Area = {
  name: 'portability',
  description:
    'What the business has about a person: their data as a file, and erasing them. What becomes of a test business.',
  endpoints: [personalData, erase, discard, goLive],
  jobs: [discarding],
};
