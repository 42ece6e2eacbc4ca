/** Who changed what of this record, field by field. */
import { Listed } from '../../../ui/listed.tsx';
import { momentOf } from '../../../words/times.ts';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

/** Of rows as they are kept: what only the service needs. */
const isOurs = (name: string): boolean =>
  /^(search_text|provider_id|id|updated_at|created_at)$/.test(name) || name.endsWith('_key');

const shown = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '–'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

export function History({ person }: TabProps) {
  const { timezone } = useBusiness();
  const list = usePages('GET /audit_entries', {
    query: { object: ['customer'], object_id: [person.id], page_size: 20 },
    fields: ['id', 'timestamp', 'actor', 'action', 'before', 'after', 'changes'],
  });
  return (
    <Listed list={list} none={words.say('history.none')}>
      {(all) => (
        <ul className="rows">
          {all.map(({ id, timestamp, actor, action, before, after, changes }) => (
            <li key={id}>
              <div>
                <strong>{actor.name ?? words.say('history.someone')}</strong>{' '}
                <span className="soft">
                  {momentOf(timestamp, timezone)} ·{' '}
                  {words.say(
                    before === null ? 'history.created' : after === null ? 'history.deleted' : 'history.changed',
                  )}
                </span>{' '}
                <code className="small">{action}</code>
                {before === null ? null : (
                  <ul>
                    {changes
                      .filter(({ name }) => !isOurs(name))
                      .map(({ name, old, new: now }) => (
                        <li key={name}>
                          {name.replaceAll('_', ' ')}: <del>{shown(old)}</del> → <ins>{shown(now)}</ins>
                        </li>
                      ))}
                  </ul>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}
