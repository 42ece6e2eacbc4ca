import { changeTerminologies } from './change-terminologies.ts';
import { findTerminologies } from './find-terminologies.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export const terminologies: Area = {
  name: 'terminologies',
  description: 'Words of a business for classes, memberships, instructors and so on.',
  tables: TABLES,
  resources: [],
  endpoints: [...findTerminologies, ...changeTerminologies],
  constraints: {
    terminology_plain: () => invalid('singular', 'Must be plain words of at most 40 characters, and so must `plural`.'),
    terminology_article_of_texts: () => invalid('article', 'Send an article only with English words.'),
  },
};
