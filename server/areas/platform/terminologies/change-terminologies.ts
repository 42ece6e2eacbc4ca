/** Endpoints to set a business's words, and to restore the defaults. */
import { action, answer, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import {
  bodyShape,
  NOTHING_STORED,
  readStored,
  shape,
  shown,
  TEXT_LOCALE,
  type Stored,
  type Translation,
} from './terminology.ts';
import { invalid, Issues } from '../../../kernel/base/problem.ts';
import { lockBusiness, providerFeed } from '../providers/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { articleOf, VOCABULARY, WORDS, type Article, type Word } from '../../../kernel/base/values/words.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Sent {
  readonly singular?: string | null;
  readonly plural?: string | null;
  readonly article?: Article | null;
  readonly translations?: readonly Translation[];
}

/** Merges the body into the stored word; a value that is sent back as shown doesn't change. */
function merged(word: Word, before: Stored, sent: Sent): Stored {
  const was = before.own;
  const singular = sent.singular === undefined ? (was?.singular ?? null) : sent.singular;
  const plural = sent.plural === undefined ? (was?.plural ?? null) : sent.plural;
  const translations = sent.translations ?? before.translations;
  checkTranslations(translations);
  const [one, many] = VOCABULARY[word];
  if (singular === null && plural === null) {
    if (sent.article && sent.article !== articleOf(one))
      throw invalid('article', 'Belongs to a word of your own. Send `singular` and `plural` too.');
    return { own: null, translations };
  }
  if (singular === null || plural === null)
    throw invalid(
      singular === null ? 'singular' : 'plural',
      'Send both `singular` and `plural`. To go back to the default, send null for both.',
    );
  // An article that follows from the pronunciation isn't stored: it may have been sent back as shown.
  const chosen = sent.article === undefined ? (was?.article ?? null) : sent.article;
  const article = chosen === articleOf(singular) ? null : chosen;
  const isDefault = singular === one && plural === many && article === null;
  return { own: isDefault ? null : { singular, plural, article }, translations };
}

function checkTranslations(all: readonly Translation[]): void {
  const issues = new Issues();
  all.forEach(({ locale }, i) => {
    if (locale === TEXT_LOCALE)
      issues.add(`translations.${i}.locale`, 'English words are `singular` and `plural`. Set those instead.');
    else if (all.findIndex((other) => other.locale === locale) < i)
      issues.add(`translations.${i}.locale`, 'Each language can be there only once.');
  });
  issues.throwIfAny();
}

async function store({ tx, providerId }: Work, word: Word, { own, translations }: Stored): Promise<void> {
  const rows = [
    ...(own ? [{ locale: TEXT_LOCALE, ...own }] : []),
    ...translations.map((one) => ({ ...one, article: null })),
  ];
  await tx.all([
    sql`DELETE FROM terminology WHERE provider_id = ${providerId} AND word = ${word}`,
    sql`INSERT INTO terminology (provider_id, word, locale, singular, plural, article)
        SELECT ${providerId}::bigint, ${word}, o.*
        FROM unnest(${rows.map((r) => r.locale)}::text[], ${rows.map((r) => r.singular)}::text[],
          ${rows.map((r) => r.plural)}::text[], ${rows.map((r) => r.article)}::text[]) AS o
          (locale, singular, plural, article)`,
  ]);
}

/** Changes run one after the other: the second change of a word begins with the result of the first. */
async function change(work: Work, method: 'PATCH' | 'PUT', word: Word, sent: Sent): Promise<ReturnType<typeof shown>> {
  await lockBusiness(work);
  const before = (await readStored(work)).get(word) ?? NOTHING_STORED;
  const after = merged(word, before, sent);
  const [was, is] = [shown(word, before), shown(word, after)];
  if (JSON.stringify(before) === JSON.stringify(after)) return is;
  await store(work, word, after);
  work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: ['terminologies'] });
  const audited = ({ id, singular, plural, article, translations }: typeof was) => ({
    id,
    singular,
    plural,
    article,
    translations,
  });
  work.audit({
    action: `${method} /terminologies/{id}`,
    object: 'provider',
    objectId: work.providerId,
    before: audited(was),
    after: audited(is),
  });
  return is;
}

const changing = {
  path: '/terminologies/{id}',
  names: WORDS,
  who: staffWith('super_admin'),
  returns: answer(shape),
  changesBusiness: true,
} as const;

const description =
  'From the next request on, pages, messages and refusals for customers use the words. Texts for staff stay the same. Null for `singular` and `plural` restores the default.';

const patch_terminology = action({
  ...changing,
  method: 'PATCH',
  summary: 'Update a terminology',
  description,
  body: allOptional(bodyShape),
  run: ({ work, params, body }) => change(work, 'PATCH', params.id as Word, body),
});

const put_terminology = action({
  ...changing,
  method: 'PUT',
  summary: 'Replace a terminology',
  description: `${description} What the body leaves out is removed.`,
  body: bodyShape,
  run: ({ work, params, body }) =>
    change(work, 'PUT', params.id as Word, {
      ...body,
      article: body.article ?? null,
      translations: body.translations ?? [],
    }),
});

export const changeTerminologies = [put_terminology, patch_terminology];
