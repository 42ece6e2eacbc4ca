/** From what the interface says of settings to what stands in fields, and back to what a change sends. Pure. */
import { typedAmount } from '../../app/amount.ts';
import type { Setting } from './declared/setting.ts';

/** What stands in fields by their names, as a form has it: a box that isn't checked is absent. */
export type Typed = Readonly<Record<string, string | undefined>>;
export type Answer = Readonly<Record<string, any>>;

/** Minutes in each unit. */
export const UNITS = [1440, 60, 1] as const;
/** The name of the field that says the unit. */
export const unitOf = (name: string): string => `${name}.unit`;

const ON = 'on';

const at = (answer: Answer | null, path: string): any =>
  path.split('.').reduce<any>((value, name) => value?.[name] ?? null, answer);

/** Relations are ids, or objects that have one. */
const idOf = (value: any): string => (value === null ? '' : String(typeof value === 'object' ? value.id : value));
/** Amounts are texts, or objects that have one or its number. */
const decimalOf = (value: any): string =>
  value === null ? '' : typeof value === 'object' ? String(value.string ?? value.amount) : value;

/** What stands in the fields of one setting. */
function typedOfOne({ name, kind, columns = [] }: Setting, value: any): Record<string, string | undefined> {
  switch (kind) {
    case 'switch':
      return { [name]: value ? ON : undefined };
    case 'image':
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
    case 'lines':
      return { [name]: (value ?? []).join('\n') };
    case 'numbers':
    case 'amounts':
      return { [name]: (value ?? []).map(decimalOf).join(', ') };
    case 'choices':
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

/** A column of the row with this number. */
export const within = (column: Setting, name: string, n: number): Setting => ({
  ...column,
  name: `${name}.${n}.${column.name}`,
});

/** What a new object begins with. */
function firstOf(setting: Setting): Typed {
  const { name, kind, first } = setting;
  if (first === undefined) return typedOfOne(setting, null);
  return kind === 'choices' ? typedOfOne(setting, first.split(' ')) : { ...typedOfOne(setting, null), [name]: first };
}

/** What stands in the fields of an object; of a new one, what it begins with. */
export function typedOf(settings: readonly Setting[], answer: Answer | null): Typed {
  return Object.assign(
    {},
    ...settings.map((setting) =>
      answer === null ? firstOf(setting) : typedOfOne(setting, at(answer, setting.shown ?? setting.name)),
    ),
  );
}

/** How many rows there are. */
export const rowsOf = (name: string, typed: Typed): number =>
  Math.max(
    -1,
    ...Object.keys(typed)
      .filter((field) => field.startsWith(`${name}.`))
      .map((field) => Number(field.slice(name.length + 1).split('.')[0])),
  ) + 1;

/** What is no number stays as it is: the interface says what is wrong with it. */
const numeric = (text: string): number | string => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : text);

const split = (text: string, by: RegExp): string[] =>
  text
    .split(by)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** The names of the boxes that are checked, in the order of the form. */
const checked = (name: string, typed: Typed): string[] =>
  Object.keys(typed)
    .filter((field) => field.startsWith(`${name}.`) && typed[field] !== undefined)
    .map((field) => field.slice(name.length + 1));

/** What a setting is set to by what stands in its fields; undefined: nothing is said of it. */
function valueOf(setting: Setting, typed: Typed): unknown {
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
      return text === '' ? null : numeric(text);
    case 'minutes': {
      const amount = text === '' ? null : numeric(text);
      return typeof amount === 'number' ? Math.round(amount * Number(typed[unitOf(name)] ?? 1)) : amount;
    }
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
      // A comma may be within an amount, so it separates two only before a space.
      return split(text, /;|,?\s+/).map(typedAmount);
    case 'numbers':
      return split(text, /[,;\s]+/).map(numeric);
    // Which they are counts, not in which order the list shows them; pictures have one.
    case 'choices':
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

/** Whether a setting is asked for, by what stands in the fields. */
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
 * What a change sends: only what differs. Objects that are taken as a whole are sent with all their properties if one differs,
 * and are null if nothing is in them.
 */
export function bodyOf(
  { settings, wholes = [] }: { readonly settings: readonly Setting[]; readonly wholes?: readonly string[] },
  before: Typed,
  typed: Typed,
): Record<string, unknown> {
  const asked = settings.filter((setting) => isAsked(setting, typed));
  // Of a new object nothing is set: a box that is checked at first says something too if it is cleared.
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
    // What begins with a value says nothing on its own.
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

/** The fields of an answer that hold these settings. */
export const fieldsOf = (settings: readonly Setting[]): string[] => [
  ...new Set(
    settings.flatMap(({ name, kind, linked, shown }) => {
      if (kind === 'people') return ['id', 'first_name', 'last_name'].map((one) => `${name}.${one}`);
      return [linked ? `${name}.id` : (shown ?? name).split('.')[0]];
    }),
  ),
];

/** What was typed stays, and what was not touched becomes what is there now. */
export function merged(before: Typed, typed: Typed, now: Typed): Typed {
  const names = new Set([...Object.keys(before), ...Object.keys(typed), ...Object.keys(now)]);
  return Object.fromEntries(
    [...names].map((name) => [name, (typed[name] ?? '') === (before[name] ?? '') ? now[name] : typed[name]]),
  );
}
