/** Entries of the audit log in words: author, time, and the change of each field. */
import { useQuery } from '@tanstack/react-query';
import { clientOf } from '../../app/client.ts';
import { Listed } from '../listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { calendarDayOf, minorAmountOf, momentOf, numberOf } from '../../words/times.ts';
import { codeIn } from './codes.ts';
import { locale } from '../../words/language.ts';
import { nameIn, zoneName } from '../../words/names.ts';
import { propertyIn, type Labels } from './labels.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';
import type { Subject } from './index.tsx';

export const { ready } = words;

const NAMED = { locale, nameIn, zoneName };

/** Returns true for internal columns of stored rows. */
const isOurs = (name: string): boolean =>
  /^(search_text|provider_id|id|updated_at|created_at)$/.test(name) || name.endsWith('_key');

const DATE = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

type Choice = (value: string) => string | undefined;

/** Returns a stored value as people read it. */
function shown(value: unknown, zone: string, choice: Choice): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return words.say(value ? 'yes' : 'no');
  if (typeof value === 'number') return numberOf(value);
  if (typeof value === 'string') {
    if (DATE.test(value)) return calendarDayOf(value);
    return INSTANT.test(value) ? momentOf(value, zone) : (choice(value) ?? value);
  }
  const parts = Object.values(value);
  const isPlain = parts.every((part) => part === null || typeof part !== 'object');
  return isPlain
    ? parts.map((part) => shown(part, zone, choice)).join(', ') || '–'
    : words.say('several', { n: parts.length });
}

const askedOf = ({ object, id, action }: Subject) => ({
  object: [object],
  object_id: [id],
  ...(action !== undefined && { action }),
});

interface Change {
  readonly name: string;
  readonly old: unknown;
  readonly new: unknown;
}

interface ChangesProps {
  readonly changes: readonly Change[];
  readonly labels: Labels | undefined;
}

/** Lists the changed properties that have a name, and counts the others. */
function Changes({ changes, labels }: ChangesProps) {
  const { timezone, currency } = useBusiness();
  const named = changes
    .filter(({ name }) => !isOurs(name))
    .map((change) => ({ ...change, property: propertyIn(change.name, labels) }));
  const others = named.filter(({ property }) => property === null).length;
  return (
    <ul>
      {named.map(({ name, old, new: now, property }) => {
        if (property === null) return null;
        const text = (value: unknown): string =>
          property.kind === 'amount' && typeof value === 'number'
            ? minorAmountOf(value, currency)
            : shown(value, timezone, (choice) => labels?.choice?.(name, choice) ?? codeIn(name, choice, NAMED));
        return (
          <li key={name}>
            {property.kind === 'reference' ? (
              words.say('replaced', { what: property.name })
            ) : (
              <>
                {property.name}: <del>{text(old)}</del> → <ins>{text(now)}</ins>
              </>
            )}
          </li>
        );
      })}
      {others > 0 ? <li>{words.say('others', { n: others })}</li> : null}
    </ul>
  );
}

export function Entries(subject: Subject) {
  const { timezone } = useBusiness();
  const list = usePages('GET /audit_entries', {
    query: { ...askedOf(subject), page_size: 20 },
    fields: ['id', 'timestamp', 'actor', 'before', 'after', 'changes'],
  });
  return (
    <Listed list={list} none={words.say('none')} next={[]}>
      {(all) => (
        <ul className="rows">
          {all.map(({ id, timestamp, actor, before, after, changes }) => (
            <li key={id}>
              <div>
                <strong>{actor.name ?? words.say('someone')}</strong>{' '}
                <span className="soft">
                  {momentOf(timestamp, timezone)} ·{' '}
                  {words.say(before === null ? 'created' : after === null ? 'deleted' : 'changed')}
                </span>
                {before === null || after === null ? null : <Changes changes={changes} labels={subject.labels} />}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}

export function Last(subject: Subject) {
  const business = useBusiness();
  const isAllowed = may(business, 'super_admin');
  const last = useQuery({
    queryKey: [business.id, 'GET /audit_entries', { last: askedOf(subject) }],
    staleTime: 0,
    enabled: isAllowed,
    queryFn: ({ signal }) =>
      clientOf(business.id)
        .call('GET /audit_entries', { query: { ...askedOf(subject), page_size: 1 }, signal })
        .then(({ results }) => results.at(0) ?? null),
  });
  if (!isAllowed || !last.data) return <p>{words.say('meanwhile')}</p>;
  const { actor, timestamp, changes } = last.data;
  return (
    <>
      <p>
        {words.say('meanwhile_by', {
          who: actor.name ?? words.say('someone'),
          when: momentOf(timestamp, business.timezone),
        })}
      </p>
      <Changes changes={changes} labels={subject.labels} />
    </>
  );
}
