/** The effects of a dry run in words: one line for each kind of effect. */
import type { Effect } from 'rollcall-sdk';
import kinds from './kinds.json' with { type: 'json' };
import { words } from './words.ts';

type Key = Parameters<typeof words.say>[0];

/** Effects whose own name doesn't lead to their text. */
const AS: Readonly<Record<string, string>> = kinds.effects;

/** Texts for changes of an object without texts of its own: the window is already about the object. */
const ENTRY: Readonly<Record<string, string>> = kinds.entries;

const isKey = (text: string): text is Key => words.has(text);

/** Expands the short name of an operation's own effect: `strike_forgiven` of a `membership_strike`. */
function inFull({ effect, object }: Effect): string {
  // An entry on an account is named by what it does there, and is of what it is for. The price of a booking says so.
  if (object !== 'attendance' && /^(credit|charge)(_voided)?$/.test(effect))
    return effect.endsWith('_voided') ? 'account_entry.voided' : 'account_entry.created';
  const whole = object === 'customermembership' ? 'customer_membership' : object;
  const last = `${whole.split('_').at(-1)}_`;
  const short = effect.startsWith(last) ? effect.slice(last.length) : effect;
  return `${whole}.${short.replace(/_with_family$/, '')}`;
}

/** Objects whose changes are named by the last word of the object only: `task_created` of a `customer_task`. */
const OF = ['', 'customer_', 'membership_'];

/** Finds the text of an operation's own effect: `course_waitlist_joined` reads like `waitlist.joined`. */
function alike(effect: string): Key | undefined {
  const names = effect.split('_');
  for (let from = 0; from < names.length - 1; from++)
    for (let to = from + 1; to < names.length; to++)
      for (const prefix of OF) {
        const key = `${prefix}${names.slice(from, to).join('_')}.${names.slice(to).join('_')}`;
        if (isKey(key)) return key;
      }
  return undefined;
}

function kindOf(effect: Effect): Key {
  const known = AS[effect.effect] ?? effect.effect;
  if (isKey(known)) return known;
  const full = inFull(effect);
  if (isKey(full)) return full;
  // An effect without a text counts as one more change: its name would be a word of the interface, and English.
  const entry = ENTRY[/[._]([a-z]+)$/.exec(known)?.[1] ?? ''];
  return alike(known) ?? (entry && isKey(entry) ? entry : 'other');
}

/** A line of effects; for `message_sent`, `effect` includes the kind of message. */
export interface Gathered {
  readonly effect: Key;
  readonly count: number;
}

/** Groups effects of one kind into one line, in the order in which they happen. Messages are counted by person. */
export function gather(effects: readonly Effect[]): Gathered[] {
  const counts = new Map<Key, number>();
  // Some messages are reported twice: for each person, and once with their total. They count once.
  const counted = new Set(effects.filter(({ effect }) => effect === 'message_sent').map(({ detail }) => detail.type));
  for (const effect of effects) {
    if (effect.effect === 'notice_sent' && counted.has(effect.detail.type)) continue;
    const kind = kindOf(effect);
    const { people } = effect.detail;
    counts.set(kind, (counts.get(kind) ?? 0) + (typeof people === 'number' ? people : 1));
  }
  return [...counts].map(([effect, count]) => ({ effect, count }));
}

export const lineOf = ({ effect, count }: Gathered): string => words.say(effect, { n: count });

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
