/** What a dry run says would happen, in words: one line for each kind of effect. */
import type { Effect } from 'rollcall-sdk';
import { words } from './words.ts';

type Key = Parameters<typeof words.say>[0];

const isKey = (text: string): text is Key => words.has(text);

/** `message_sent` of some kind names it. */
export interface Gathered {
  readonly effect: string;
  readonly count: number;
}

/** Effects of one kind are one line; the order is that in which they happen. */
export function gather(effects: readonly Effect[]): Gathered[] {
  const counts = new Map<string, number>();
  for (const { effect } of effects) counts.set(effect, (counts.get(effect) ?? 0) + 1);
  return [...counts].map(([effect, count]) => ({ effect, count }));
}

/** `attendance.cancelled` in words, where there are none of our own. */
const plain = (effect: string): string => effect.replaceAll(/[._]/g, ' ');

export const lineOf = ({ effect, count }: Gathered): string =>
  isKey(effect) ? words.say(effect, { n: count }) : words.say('other', { n: count, what: plain(effect) });

export function Effects({ effects }: { readonly effects: readonly Effect[] }) {
  const lines = gather(effects);
  if (lines.length === 0) return <p>{words.say('nothing')}</p>;
  return (
    <ul className="effects">
      {lines.map((line) => (
        <li key={line.effect}>{lineOf(line)}</li>
      ))}
    </ul>
  );
}
