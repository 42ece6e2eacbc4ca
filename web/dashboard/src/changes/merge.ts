/**
 * Merges a form with what somebody else saved in the meantime, field by field. The fields keep their own state, so the
 * values are read from the form and written to it.
 */

/** The values of a form by the names of its fields; an unchecked box is absent. */
export type Values = Readonly<Record<string, string>>;

export const valuesIn = (form: HTMLFormElement): Values =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/**
 * Returns what to do with each field that one of them changed since `before`: `mine` was changed here only, and
 * `conflicts` on both sides, to different values.
 */
export function compare(before: Values, mine: Values, theirs: Values) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(mine), ...Object.keys(theirs)])];
  const changed = names.filter((name) => mine[name] !== before[name] && mine[name] !== theirs[name]);
  return {
    mine: changed.filter((name) => theirs[name] === before[name]),
    conflicts: changed.filter((name) => theirs[name] !== before[name]),
  };
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const inputOf = (form: HTMLFormElement, name: string): Input | null => {
  const found = form.elements.namedItem(name);
  return found instanceof HTMLElement ? (found as Input) : null;
};

const isBox = (input: Input): input is HTMLInputElement =>
  input instanceof HTMLInputElement && input.type === 'checkbox';

/** Sets the value of a field; undefined: an unchecked box, or nothing. */
export function put(form: HTMLFormElement, name: string, value: string | undefined): void {
  const input = inputOf(form, name);
  if (!input) return;
  if (isBox(input)) input.checked = value !== undefined;
  else input.value = value ?? '';
}

/** Returns true if everything that was changed can be put into a field; not so pictures, which keep their own list. */
export const canMerge = (form: HTMLFormElement, before: Values, mine: Values): boolean =>
  compare(before, mine, before).mine.every((name) => {
    const input = inputOf(form, name);
    return input !== null && input.type !== 'hidden';
  });

export const labelIn = (form: HTMLFormElement, name: string): string =>
  inputOf(form, name)?.labels?.[0]?.textContent?.trim() ?? name;

/** Returns a value as the form shows it: true and false for a box. */
export function shownIn(form: HTMLFormElement, name: string, value: string | undefined): string | boolean {
  const input = inputOf(form, name);
  if (input && isBox(input)) return value !== undefined;
  const option = input instanceof HTMLSelectElement && [...input.options].find((one) => one.value === value);
  return option ? option.text : (value ?? '');
}
