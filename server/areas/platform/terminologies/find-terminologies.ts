import { answer, EVERYONE, pageOf, paging, read } from '../../../kernel/api/endpoint.ts';
import { NOTHING_STORED, readStored, shape, shown } from './terminology.ts';
import { WORDS, type Word } from '../../../kernel/base/values/words.ts';

const list_terminologies = read({
  path: '/terminologies',
  summary: 'List terminologies',
  description:
    'Returns every word that texts for customers use, as the business calls it. Sites of yours can use the same words.',
  who: EVERYONE,
  query: paging(),
  returns: pageOf(shape),
  run: async ({ work, query }) => {
    const stored = await readStored(work);
    const [page, size] = [query.page!, query.page_size!];
    return {
      count: WORDS.length,
      results: WORDS.slice((page - 1) * size, page * size).map((word) =>
        shown(word, stored.get(word) ?? NOTHING_STORED),
      ),
    };
  },
});

const get_terminology = read({
  path: '/terminologies/{id}',
  names: WORDS,
  summary: 'Get a terminology',
  who: EVERYONE,
  returns: answer(shape),
  run: async ({ work, params }) => {
    const word = params.id as Word;
    return shown(word, (await readStored(work)).get(word) ?? NOTHING_STORED);
  },
});

export const findTerminologies = [list_terminologies, get_terminology];
