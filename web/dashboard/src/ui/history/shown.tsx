/** Entries of the audit log in words: author, time, and the change of each field. */
import { useQuery } from '@tanstack/react-query';
import { clientOf } from '../../app/client.ts';
import { Listed } from '../listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { momentOf } from '../../words/times.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';
import type { Subject } from './index.tsx';

export const { ready } = words;

/** Returns true for internal columns of stored rows. */
const isOurs = (name: string): boolean =>
  /^(search_text|provider_id|id|updated_at|created_at)$/.test(name) || name.endsWith('_key');

/** Returns a stored value as people read it. */
function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return words.say(value ? 'yes' : 'no');
  if (typeof value !== 'object') return String(value);
  const parts = Object.values(value);
  const isPlain = parts.every((part) => part === null || typeof part !== 'object');
  return isPlain ? parts.map(shown).join(', ') || '–' : words.say('several', { n: parts.length });
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

function Changes({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <ul>
      {changes
        .filter(({ name }) => !isOurs(name))
        .map(({ name, old, new: now }) => (
          <li key={name}>
            {name.replaceAll('_', ' ')}: <del>{shown(old)}</del> → <ins>{shown(now)}</ins>
          </li>
        ))}
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
                {before === null ? null : <Changes changes={changes} />}
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
    queryKey: [business.id, 'GET /audit_entries', { last: subject }],
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
      <Changes changes={changes} />
    </>
  );
}
