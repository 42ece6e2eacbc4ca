/** The effects of a change in words, with the texts of the dashboard. */
import { readFileSync } from 'node:fs';
import { amountIn, momentIn } from '../../../kernel/base/languages/times.ts';
import { byLanguage } from '../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { effectLines, type EffectLike, type Kinds } from './rules/effect-lines.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Words } from '../../../kernel/base/values/words.ts';

const DASHBOARD = new URL('../../../../web/dashboard/', import.meta.url);
const read = (file: string): any => JSON.parse(readFileSync(new URL(file, DASHBOARD), 'utf8'));

export const EFFECT_TEXTS = new Catalog<string>(byLanguage((language) => read(`texts/${language}.json`).changes));

let kinds: Kinds | undefined;
export const effectKinds = (): Kinds => (kinds ??= read('src/changes/kinds.json') as Kinds);

const isKey = (key: string): boolean => Object.hasOwn(EFFECT_TEXTS.languages.en, key);

export interface EffectText {
  readonly text: string;
  /** the people, classes and amounts that it concerns, as names */
  readonly about: readonly string[];
}

/** Returns a value of the interface as the caller sees it; null if the caller may not call the operation. */
export type Look = (operation: string, query: Record<string, string | number>) => Promise<any>;

interface Around {
  readonly look: Look;
  readonly reader: Reader;
  readonly words: Words;
  readonly currency: string;
  readonly zone: string;
}

/** The most names of one line; the text has the number of all. */
const MAX_NAMES = 20;

async function namesFor(
  operation: string,
  ids: readonly number[],
  fields: string,
  { look }: Around,
): Promise<Map<number, any>> {
  const shown = [...new Set(ids)].slice(0, 5 * MAX_NAMES);
  const page = shown.length === 0 ? null : await look(operation, { ids: shown.join(','), fields, page_size: 100 });
  return new Map((page?.results ?? []).map((one: { id: number }) => [one.id, one]));
}

/** Returns the effects of a dry run in words, one text for each kind of effect. */
export async function effectsInWords(effects: readonly EffectLike[], around: Around): Promise<EffectText[]> {
  const { reader, words, currency, zone } = around;
  const say = EFFECT_TEXTS.for(reader, words);
  const lines = effectLines(effects, { kinds: effectKinds(), isKey, currency });
  const people = await namesFor(
    'GET /customers',
    lines.flatMap(({ customers }) => customers),
    'id,first_name,last_name',
    around,
  );
  const events = await namesFor(
    'GET /events',
    lines.flatMap((line) => line.events),
    'id,name,starts_at',
    around,
  );
  return lines.map(({ key, count, amount, customers, events: at }) => ({
    text: isKey(key) ? say(key, { n: count }) : say('other', { n: count, what: key.replaceAll(/[._]/g, ' ') }),
    about: [
      ...(amount === null ? [] : [amountIn(reader.locale, { minor: amount, currency })]),
      ...at.slice(0, MAX_NAMES).flatMap((id) => {
        const event = events.get(id);
        return event ? [`${event.name}, ${momentIn(reader.locale, Date.parse(event.starts_at), zone)}`] : [];
      }),
      ...customers.slice(0, MAX_NAMES).flatMap((id) => {
        const person = people.get(id);
        return person ? [`${person.first_name} ${person.last_name}`.trim()] : [];
      }),
    ],
  }));
}
