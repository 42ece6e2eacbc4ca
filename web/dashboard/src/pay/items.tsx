/** The pay for sessions that have ended, each with its reason. */
import { useState } from 'react';
import { amountOf, dayOf } from '../words/times.ts';
import type { Money } from 'rollcall-sdk';
import { Why } from './why.tsx';
import { words } from './words.ts';

export interface Item {
  readonly id: number;
  readonly pay: Money | null;
  readonly status: 'open' | 'approved';
  /** null for an event at a venue that the person can't see */
  readonly event: { readonly name: string; readonly starts_at: string; readonly timezone: string } | null;
  /** absent if the instructor is clear from the context */
  readonly instructor?: { readonly name: string } | null;
}

const dayOfEvent = ({ event }: Item): string => (event === null ? '' : dayOf(event.starts_at, event.timezone));

export interface ItemsProps {
  readonly all: readonly Item[];
  readonly label: string;
  /** on a page, rather than within a framed element */
  readonly framed?: boolean;
}

export function Items({ all, label, framed = false }: ItemsProps) {
  const [shown, setShown] = useState<{ readonly id: number; readonly name: string } | null>(null);
  return (
    <>
      <ul className={framed ? 'rows' : 'plain-list'} aria-label={label}>
        {all.map((item) => (
          <li key={item.id} className={framed ? undefined : 'line'}>
            <span>
              {item.event?.name}
              <br />
              <span className="soft small">
                {[dayOfEvent(item), item.instructor?.name].filter(Boolean).join(' · ')}
              </span>
            </span>
            <span className="end">{item.pay === null ? words.say('uncovered') : amountOf(item.pay)}</span>
            <span className={item.pay === null ? 'tag wrong' : 'tag'}>{words.say(item.status)}</span>
            <button
              type="button"
              className="plain"
              aria-label={words.say('why.of', { name: item.event?.name ?? '', day: dayOfEvent(item) })}
              onClick={() => setShown({ id: item.id, name: item.event?.name ?? words.say('session') })}
            >
              {words.say('why')}
            </button>
          </li>
        ))}
      </ul>
      {shown ? <Why {...shown} onClose={() => setShown(null)} /> : null}
    </>
  );
}
