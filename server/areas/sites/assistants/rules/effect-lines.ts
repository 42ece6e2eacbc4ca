/**
 * Groups the effects of a dry run into lines, by the kinds for which the dashboard has texts. Pure. The dashboard
 * groups them in the same way, and reads the same lists of names.
 */
import { parseDecimal } from '../../../../kernel/base/values/money.ts';

export interface EffectLike {
  readonly effect: string;
  readonly object: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Names of effects whose text is called otherwise, by effect and by the last word of it. */
export interface Kinds {
  readonly effects: Readonly<Record<string, string>>;
  readonly entries: Readonly<Record<string, string>>;
}

export interface Line {
  /** key of a text, or an effect without a text */
  readonly key: string;
  readonly count: number;
  /** the sum of its amounts, in minor units; null: it has none */
  readonly amount: number | null;
  /** ids of the customers and events that it concerns, each once */
  readonly customers: readonly number[];
  readonly events: readonly number[];
}

const BEGINNINGS = ['', 'customer_', 'membership_'];

/** Returns the full name of an operation's own effect: `strike_forgiven` of a `membership_strike`. */
function fullName({ effect, object }: EffectLike): string {
  if (object !== 'attendance' && /^(credit|charge)(_voided)?$/.test(effect))
    return effect.endsWith('_voided') ? 'account_entry.voided' : 'account_entry.created';
  const whole = object === 'customermembership' ? 'customer_membership' : object;
  const last = `${whole.split('_').at(-1)}_`;
  const short = effect.startsWith(last) ? effect.slice(last.length) : effect;
  return `${whole}.${short.replace(/_with_family$/, '')}`;
}

/** Returns the key of a text that reads alike: `course_waitlist_joined` as `waitlist.joined`. */
function similar(effect: string, isKey: (key: string) => boolean): string | undefined {
  const names = effect.split('_');
  for (let from = 0; from < names.length - 1; from++)
    for (let to = from + 1; to < names.length; to++)
      for (const beginning of BEGINNINGS) {
        const key = `${beginning}${names.slice(from, to).join('_')}.${names.slice(to).join('_')}`;
        if (isKey(key)) return key;
      }
  return undefined;
}

function keyFor(effect: EffectLike, { effects, entries }: Kinds, isKey: (key: string) => boolean): string {
  const known = effects[effect.effect] ?? effect.effect;
  if (isKey(known)) return known;
  const full = fullName(effect);
  if (isKey(full)) return full;
  return similar(known, isKey) ?? entries[/[._]([a-z]+)$/.exec(known)?.[1] ?? ''] ?? known;
}

const numbers = (values: readonly unknown[]): number[] => [
  ...new Set(values.filter((value): value is number => typeof value === 'number')),
];

/** Returns the amount of an effect in minor units: effects have it as a number or as a decimal text. Null: none. */
export function effectAmount({ detail }: EffectLike, currency: string): number | null {
  const { amount_minor: minor, amount } = detail;
  if (typeof minor === 'number') return minor;
  return typeof amount === 'string' ? parseDecimal(amount, currency) : null;
}

/** Returns the effects without those that others repeat: some messages have one for each person, and a total. */
export function counted(effects: readonly EffectLike[]): readonly EffectLike[] {
  const totals = new Set(effects.filter(({ effect }) => effect === 'message_sent').map(({ detail }) => detail.type));
  return effects.filter(({ effect, detail }) => effect !== 'notice_sent' || !totals.has(detail.type));
}

/** Returns the number of people that an effect concerns. */
export const peopleIn = ({ detail: { people } }: EffectLike): number => (typeof people === 'number' ? people : 1);

interface Wording {
  readonly kinds: Kinds;
  readonly isKey: (key: string) => boolean;
  readonly currency: string;
}

/** Returns one line for each kind of effect, in the order in which they happen. Messages are counted by person. */
export function effectLines(effects: readonly EffectLike[], { kinds, isKey, currency }: Wording): readonly Line[] {
  return [...Map.groupBy(counted(effects), (effect) => keyFor(effect, kinds, isKey))].map(([key, all]) => {
    const details = all.map(({ detail }) => detail);
    const amounts = all.map((effect) => effectAmount(effect, currency)).filter((one) => one !== null);
    return {
      key,
      count: all.reduce((sum, effect) => sum + peopleIn(effect), 0),
      amount: amounts.length === 0 ? null : amounts.reduce((sum, one) => sum + one, 0),
      customers: numbers(details.map(({ customer }) => customer)),
      events: numbers(details.map(({ event }) => event)),
    };
  });
}
