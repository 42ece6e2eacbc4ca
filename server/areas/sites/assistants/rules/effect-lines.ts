/**
 * Groups the effects of a dry run into lines, by the kinds for which the dashboard has texts. Pure. The dashboard
 * groups them in the same way, and reads the same lists of names.
 */

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

/** Returns one line for each kind of effect, in the order in which they happen. Messages are counted by person. */
export function effectLines(
  effects: readonly EffectLike[],
  kinds: Kinds,
  isKey: (key: string) => boolean,
): readonly Line[] {
  // Some messages are reported twice: for each person, and once with their total.
  const totals = new Set(effects.filter(({ effect }) => effect === 'message_sent').map(({ detail }) => detail.type));
  const counted = effects.filter(({ effect, detail }) => effect !== 'notice_sent' || !totals.has(detail.type));
  return [...Map.groupBy(counted, (effect) => keyFor(effect, kinds, isKey))].map(([key, all]) => {
    const details = all.map(({ detail }) => detail);
    const amounts = details.map(({ amount_minor: amount }) => amount).filter((one) => typeof one === 'number');
    return {
      key,
      count: details.reduce((sum, { people }) => sum + (typeof people === 'number' ? people : 1), 0),
      amount: amounts.length === 0 ? null : amounts.reduce((sum, one) => sum + one, 0),
      customers: numbers(details.map(({ customer }) => customer)),
      events: numbers(details.map(({ event }) => event)),
    };
  });
}
