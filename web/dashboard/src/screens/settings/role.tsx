/**
 * A preview of the screens and operations that a set of permissions gives access to, derived from the requirements of
 * the screens and of the interface.
 */
import { useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import { Failed, Loading } from '../../ui/states.tsx';
import { may, ScreensContext } from '../../app/business.ts';
import { openOf, PART_NAMES } from './declared/index.ts';
import { words } from './words.ts';
import check from 'icon:check';
import cross from 'icon:x';
import { Icon } from '../../ui/icon.tsx';

export function Role({ permissions }: { readonly permissions: ReadonlySet<string> }) {
  const screens = use(ScreensContext);
  const [isOpen, setIsOpen] = useState(false);
  const isAllowed = (needs: readonly string[]): boolean => needs.length === 0 || may({ permissions }, ...needs);
  const parts = PART_NAMES.filter((name) => {
    const { forms, collections } = openOf(name, isAllowed);
    return forms.length + collections.length > 0;
  });
  return (
    <section className="setting-role" aria-labelledby="role" aria-live="polite">
      <h3 id="role">{words.say('role')}</h3>
      <ul className="plain-list setting-screens">
        {screens.map(({ title, needs }) => {
          const is = isAllowed(needs);
          return (
            <li key={title} className={is ? undefined : 'soft'}>
              <Icon of={is ? check : cross} />
              <span className="unseen">{words.say(is ? 'role.sees' : 'role.not')}</span> {title}
            </li>
          );
        })}
      </ul>
      {parts.length > 0 ? (
        <p className="small">
          {words.say('role.settings', { parts: parts.map((name) => words.say(`part.${name}`)).join(', ') })}
        </p>
      ) : null}
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{words.say('role.operations')}</summary>
        {isOpen ? <Operations isAllowed={isAllowed} /> : null}
      </details>
    </section>
  );
}

interface Described {
  readonly summary: string;
  readonly tags: readonly string[];
  /** absent: staff alone */
  readonly 'x-modes'?: readonly string[];
  /** absent: open to all staff */
  readonly 'x-permissions'?: readonly string[];
}

/** Reads the interface's description of itself. */
async function describe({ signal }: { readonly signal: AbortSignal }): Promise<readonly Described[]> {
  const answer = await fetch('/api/v2/openapi.json', { signal });
  if (!answer.ok) throw new Error(String(answer.status));
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Described>> };
  return Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ summary, 'x-modes': modes = ['provider'] }) => summary !== undefined && modes.includes('provider'));
}

function Operations({ isAllowed }: { readonly isAllowed: (needs: readonly string[]) => boolean }) {
  const { data, error, refetch } = useQuery({
    queryKey: [null, 'openapi'],
    queryFn: describe,
    staleTime: Infinity,
  });
  if (error) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  const open = data.filter((one) => isAllowed(one['x-permissions'] ?? []));
  return (
    <>
      <p>{words.say('role.of', { n: open.length, all: data.length })}</p>
      {[...Map.groupBy(open, ({ tags }) => tags[0])].map(([topic, operations]) => (
        <details key={topic}>
          <summary>
            <span lang="en">{topic.replaceAll('_', ' ')}</span> <span className="soft">{operations.length}</span>
          </summary>
          <ul lang="en">
            {operations.map(({ summary }) => (
              <li key={summary}>{summary}</li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}
