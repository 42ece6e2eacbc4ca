/** Converts settings from the interface to field values, and field values to the body of a change. Pure. */
import { typedAmount } from '../../app/amount.ts';
import type { Setting } from './declared/setting.ts';

/** Field values by name, as in a form: an unchecked box is absent. */
export type Typed = Readonly<Record<string, string | undefined>>;
export type Answer = Readonly<Record<string, any>>;

/** Minutes in each unit. */
export const UNITS = [1440, 60, 1] as const;
/** Units of a lifetime, as they are written at its end: days, weeks, months, years. */
export const LIFETIME_UNITS = ['D', 'W', 'M', 'Y'] as const;
/** `P1Y`, or `365 00:00:00`: days in the form of an interval */
const LIFETIME = /^(?:P(\d+)([DWMY])|(\d+) 00:00:00)$/;

/** Returns the number and the unit of a lifetime; null for any other text. */
export function lifetimeIn(text: string): { readonly n: string; readonly unit: string } | null {
  const [, n, unit, days] = LIFETIME.exec(text) ?? [];
  return n !== undefined ? { n, unit } : days !== undefined ? { n: days, unit: 'D' } : null;
}

/** Returns the name of the field for the unit. */
export const unitOf = (name: string): string => `${name}.unit`;

const ON = 'on';

const at = (answer: Answer | null, path: string): any =>
  path.split('.').reduce<any>((value, name) => value?.[name] ?? null, answer);

/** Relations are ids, or objects with an id. */
const idOf = (value: any): string => (value === null ? '' : String(typeof value === 'object' ? value.id : value));
/** Amounts are texts, or objects with an amount or a number. */
const decimalOf = (value: any): string =>
  value === null ? '' : typeof value === 'object' ? String(value.string ?? value.amount) : value;

/** Returns the field values of one setting. */
function typedOfOne({ name, kind, columns = [] }: Setting, value: any): Record<string, string | undefined> {
  switch (kind) {
    case 'switch':
      return { [name]: value ? ON : undefined };
    case 'image':
    case 'file':
    case 'one':
      return { [name]: idOf(value) };
    case 'money':
      return { [name]: decimalOf(value) };
    case 'secret':
      return { [name]: '' };
    case 'time':
      return { [name]: value === null ? '' : String(value).slice(0, 5) };
    case 'minutes': {
      if (value === null) return { [name]: '', [unitOf(name)]: '60' };
      const unit = value === 0 ? 60 : UNITS.find((one) => value % one === 0)!;
      return { [name]: String(value / unit), [unitOf(name)]: String(unit) };
    }
    case 'lifetime': {
      const { n = '', unit = 'Y' } = value === null ? {} : (lifetimeIn(value) ?? { n: value });
      return { [name]: n, [unitOf(name)]: unit };
    }
    case 'lines':
      return { [name]: (value ?? []).join('\n') };
    case 'numbers':
    case 'amounts':
      return { [name]: (value ?? []).map(decimalOf).join(', ') };
    case 'choices':
    case 'triggers':
    case 'many':
    case 'people':
    case 'images':
      return Object.fromEntries((value ?? []).map((one: any) => [`${name}.${idOf(one)}`, ON]));
    case 'rows':
      return Object.fromEntries(
        (value ?? []).flatMap((row: Answer, n: number) =>
          columns.flatMap((column) => Object.entries(typedOfOne(within(column, name, n), at(row, column.name)))),
        ),
      );
    default:
      return { [name]: value === null ? '' : String(value) };
  }
}

/** Returns the column as a setting of the row with this number. */
export const within = (column: Setting, name: string, n: number): Setting => ({
  ...column,
  name: `${name}.${n}.${column.name}`,
});

/** Returns the initial value for a new object. */
function firstOf(setting: Setting): Typed {
  const { name, kind, first } = setting;
  if (first === undefined) return typedOfOne(setting, null);
  return kind === 'choices' ? typedOfOne(setting, first.split(' ')) : { ...typedOfOne(setting, null), [name]: first };
}

/** Returns the field values of an object, or the initial values for a new one. */
export function initialFieldValues(settings: readonly Setting[], answer: Answer | null): Typed {
  return Object.assign(
    {},
    ...settings.map((setting) =>
      answer === null ? firstOf(setting) : typedOfOne(setting, at(answer, setting.shown ?? setting.name)),
    ),
  );
}

/** Returns the number of rows. */
export const rowsOf = (name: string, typed: Typed): number =>
  Math.max(
    -1,
    ...Object.keys(typed)
      .filter((field) => field.startsWith(`${name}.`))
      .map((field) => Number(field.slice(name.length + 1).split('.')[0])),
  ) + 1;

/** Parses a number. Other text is returned unchanged: the interface refuses it with a message. */
const numeric = (text: string): number | string => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : text);

const split = (text: string, by: RegExp): string[] =>
  text
    .split(by)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Returns the names of the checked boxes, in the order of the form. */
const checked = (name: string, typed: Typed): string[] =>
  Object.keys(typed)
    .filter((field) => field.startsWith(`${name}.`) && typed[field] !== undefined)
    .map((field) => field.slice(name.length + 1));

/** Returns the value of a setting from its fields; undefined if it should not be sent. */
export function valueOf(setting: Setting, typed: Typed): unknown {
  const { name, kind, nullable, columns = [] } = setting;
  const text = typed[name] ?? '';
  switch (kind) {
    case 'switch':
      return typed[name] !== undefined;
    case 'decimal':
      return text === '' ? null : numeric(text.trim().replace(',', '.'));
    case 'number':
    case 'one':
    case 'image':
    case 'file':
      return text === '' ? null : numeric(text);
    case 'minutes': {
      const amount = text === '' ? null : numeric(text);
      return typeof amount === 'number' ? Math.round(amount * Number(typed[unitOf(name)] ?? 1)) : amount;
    }
    case 'lifetime':
      return text.trim() === '' ? null : `P${text.trim()}${typed[unitOf(name)] ?? 'Y'}`;
    case 'choice':
      return text === '' ? null : setting.choices!.every((one) => /^\d+$/.test(one)) ? Number(text) : text;
    case 'secret':
      return text === '' ? undefined : text;
    case 'money':
      return text === '' ? null : typedAmount(text);
    case 'time':
    case 'date':
    case 'color':
      return text === '' ? null : text;
    case 'lines':
      return split(text, /\n/);
    case 'amounts':
      // An amount may contain a comma, so a comma separates two amounts only before a space.
      return split(text, /;|,?\s+/).map(typedAmount);
    case 'numbers':
      return split(text, /[,;\s]+/).map(numeric);
    // The order in the list has no meaning, except for pictures.
    case 'choices':
    case 'triggers':
      return checked(name, typed).toSorted();
    case 'many':
    case 'people':
      return checked(name, typed)
        .map(Number)
        .toSorted((a, b) => a - b);
    case 'images':
      return checked(name, typed).map(Number);
    case 'rows':
      return Array.from({ length: rowsOf(name, typed) }, (_, n) =>
        Object.fromEntries(
          columns.flatMap((column) => {
            const value = valueOf(within(column, name, n), typed);
            return value === undefined || (value === null && !column.nullable) ? [] : [[column.name, value]];
          }),
        ),
      );
    default:
      return text === '' && nullable ? null : text;
  }
}

/** Returns true if a setting applies to the current field values. */
export const isAsked = ({ when }: Setting, typed: Typed): boolean =>
  !when || when.slice(1).includes(typed[when[0]] ?? '');

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || typeof value === 'boolean' || same(value, []);

function put(body: Record<string, any>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  let node = body;
  for (const name of names) node = node[name] ??= {};
  node[last] = value;
}

/**
 * Returns the body of a change: only the differences. Objects that are sent as a whole have all their properties if one
 * differs, and are null if they are empty.
 */
export function bodyOf(
  { settings, wholes = [] }: { readonly settings: readonly Setting[]; readonly wholes?: readonly string[] },
  before: Typed,
  typed: Typed,
): Record<string, unknown> {
  const asked = settings.filter((setting) => isAsked(setting, typed));
  // Returns true if a setting must be sent even if it does not differ. A new object has no saved values: a box that is
  // checked initially must be sent also when it is cleared.
  const isSaid = ({ name, kind, first }: Setting): boolean =>
    kind === 'switch' && first !== undefined && !Object.hasOwn(before, name);
  const differs = (setting: Setting): boolean =>
    isSaid(setting) || !same(valueOf(setting, before), valueOf(setting, typed));
  const wholeOf = ({ name }: Setting) => wholes.find((whole) => name.startsWith(`${whole}.`));
  const body: Record<string, any> = {};
  for (const setting of asked)
    if (!wholeOf(setting) && differs(setting)) put(body, setting.name, valueOf(setting, typed));
  for (const whole of wholes) {
    const own = asked.filter((setting) => wholeOf(setting) === whole);
    if (!own.some(differs)) continue;
    const values = own.map((setting) => ({ setting, value: valueOf(setting, typed) }));
    // An initial value alone does not count as input.
    if (
      values.every(
        ({ setting: { first }, value }) => isEmpty(value) || (first !== undefined && String(value) === first),
      )
    )
      body[whole] = null;
    else for (const { setting, value } of values) if (value !== undefined) put(body, setting.name, value);
  }
  return body;
}

/** Returns the fields of a response that contain these settings. */
export const fieldsOf = (settings: readonly Setting[]): string[] => [
  ...new Set(
    settings.flatMap(({ name, kind, linked, shown }) => {
      if (kind === 'people') return ['id', 'first_name', 'last_name'].map((one) => `${name}.${one}`);
      return [linked ? `${name}.id` : (shown ?? name).split('.')[0]];
    }),
  ),
];

/** Keeps typed values, and updates untouched ones to the current values. */
export function merged(before: Typed, typed: Typed, now: Typed): Typed {
  const names = new Set([...Object.keys(before), ...Object.keys(typed), ...Object.keys(now)]);
  return Object.fromEntries(
    [...names].map((name) => [name, (typed[name] ?? '') === (before[name] ?? '') ? now[name] : typed[name]]),
  );
}

/** Returns the settings that two people changed to different values. */
export const conflictsOf = (settings: readonly Setting[], before: Typed, mine: Typed, theirs: Typed): Setting[] =>
  settings.filter((setting) => {
    const [was, my, their] = [before, mine, theirs].map((typed) => valueOf(setting, typed));
    return !same(was, my) && !same(was, their) && !same(my, their);
  });

/** Returns the typed values with those of some settings replaced. */
export function taken(settings: readonly Setting[], typed: Typed, from: Typed): Typed {
  const isOf = (field: string): boolean => settings.some(({ name }) => field === name || field.startsWith(`${name}.`));
  const of = (values: Typed, wanted: boolean) => Object.entries(values).filter(([field]) => isOf(field) === wanted);
  return Object.fromEntries([...of(typed, false), ...of(from, true)]);
}
