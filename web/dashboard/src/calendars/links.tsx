/** Subscribing to a calendar, and replacing its secret address. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { Call } from 'rollcall-sdk';
import { Copy } from '../ui/copy.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';

interface Links {
  readonly link: string;
  readonly webcal_url: string;
  readonly integrations: readonly { readonly name: string; readonly url: string }[];
}

export interface CalendarLinksProps {
  readonly found: Pick<UseQueryResult<Links, Error>, 'data' | 'error' | 'refetch'>;
  /** name of the calendar's subject */
  readonly name: string;
  readonly reset: () => Call<unknown, any, any, true>;
}

export function CalendarLinks({ found, name, reset }: CalendarLinksProps) {
  const propose = usePropose();
  const replace = async (): Promise<void> => {
    const { made } = await propose({
      title: words.say('reset.of', { name }),
      confirm: words.say('reset'),
      about: <p>{words.say('reset.about')}</p>,
      done: words.say('reset.done'),
      grave: true,
      call: reset,
    });
    if (made) await found.refetch();
  };
  if (found.error && !found.data) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const { link, webcal_url: webcal, integrations } = found.data;
  return (
    <>
      <div className="actions">
        <a className="second" href={webcal}>
          {words.say('subscribe')}
        </a>
        {integrations.map((one) => (
          <a key={one.name} className="second" href={one.url} target="_blank" rel="noreferrer">
            {one.name}
          </a>
        ))}
      </div>
      <details>
        <summary>{words.say('address')}</summary>
        <p className="soft small">{words.say('address.about')}</p>
        <Copy text={link} label={words.say('address')} />
        <p>
          <button type="button" className="second" onClick={() => void replace()}>
            {words.say('reset')}
          </button>
        </p>
      </details>
    </>
  );
}
