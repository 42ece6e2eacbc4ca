/**
 * Forms of a page without a browser: what people can enter, what keeps a browser from submitting a form, and what it
 * sends. Entered values are kept in the attributes of the elements.
 */
import { isTag, Text } from 'domhandler';
import {
  all,
  ancestors,
  byId,
  closest,
  inDocument,
  matches,
  normal,
  textContent,
  type Element,
} from './page-document.ts';
import { nameOf } from './page-names.ts';

const CONTROL = 'input, select, textarea, button';
const typeOf = ({ name, attribs }: Element): string =>
  name === 'input' ? (attribs.type ?? 'text').toLowerCase() : name === 'button' ? (attribs.type ?? 'submit') : name;

/** The input types that this file supports; others would not be checked enough. */
const KNOWN = new Set(
  'text search tel url email password number date datetime-local checkbox radio hidden submit button select textarea'.split(
    ' ',
  ),
);

export function formOf(control: Element): Element | undefined {
  const { form } = control.attribs;
  return form === undefined ? closest(control, 'form') : byId(form, inDocument(control));
}

const controlsOf = (form: Element): Element[] =>
  all(CONTROL, inDocument(form)).filter((control) => formOf(control) === form);

export function isDisabled(control: Element): boolean {
  if ('disabled' in control.attribs) return true;
  for (const set of ancestors(control))
    if (set.name === 'fieldset' && 'disabled' in set.attribs) {
      const legend = set.children.filter(isTag).find(({ name }) => name === 'legend');
      if (!legend || ![...ancestors(control)].includes(legend)) return true;
    }
  return false;
}

export const isButton = (element: Element): boolean =>
  matches(element, 'button, input[type=submit], input[type=button]');
/** Returns true if pressing the element submits its form. */
export const sends = (element: Element): boolean => isButton(element) && typeOf(element) === 'submit';

// ---- entering values

export const valueOf = (control: Element): string =>
  control.name === 'textarea'
    ? textContent(control).replace(/^\n/, '')
    : control.name === 'select'
      ? (chosenOf(control).map(optionValue)[0] ?? '')
      : (control.attribs.value ?? '');

const optionValue = (option: Element): string => option.attribs.value ?? normal(textContent(option));
const optionLabel = (option: Element): string => option.attribs.label ?? normal(textContent(option));
const isOptionOff = (option: Element): boolean =>
  'disabled' in option.attribs || Boolean(closest(option, 'optgroup[disabled]'));

function chosenOf(select: Element): Element[] {
  const options = all('option', select);
  const chosen = options.filter(({ attribs }) => 'selected' in attribs);
  if ('multiple' in select.attribs) return chosen;
  return [chosen.at(-1) ?? options.find((option) => !isOptionOff(option))].filter((one) => one !== undefined);
}

/** Types text into a field, within the limits that a browser sets. */
export function enter(field: Element, text: string): void {
  const [called, type] = [`“${nameOf(field)}”`, typeOf(field)];
  if (isButton(field) || ['checkbox', 'radio', 'select'].includes(type)) throw new Error(`${called} takes no text`);
  if (!KNOWN.has(type)) throw new Error(`${called} is an input of type ${type}, which this driver doesn't know`);
  if ('readonly' in field.attribs) throw new Error(`${called} can't be changed: it is readonly`);
  const most = Number(field.attribs.maxlength ?? Infinity);
  if (text.length > most) throw new Error(`${called} takes ${most} characters, not the ${text.length} of “${text}”`);
  if (type !== 'textarea' && /[\r\n]/.test(text)) throw new Error(`${called} takes one line`);
  if (type === 'date' && text !== '' && !isDate(text))
    throw new Error(`a browser doesn’t accept “${text}” as the date ${called}`);
  if (type === 'datetime-local' && text !== '' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text))
    throw new Error(`a browser doesn’t accept “${text}” as the date and time ${called}`);
  if (type === 'number' && text !== '' && !isNumber(text))
    throw new Error(`a browser doesn’t accept “${text}” as the number ${called}`);
  if (field.name === 'textarea') {
    field.children = [];
    const child = new Text(text);
    child.parent = field;
    field.children.push(child);
  } else field.attribs.value = text;
}

const isDate = (text: string): boolean => /^\d{4,}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
const isNumber = (text: string): boolean => /^-?(\d+|\d*\.\d+)(e[+-]?\d+)?$/i.test(text);

export function setChecked(box: Element, on: boolean): void {
  const type = typeOf(box);
  if (type !== 'checkbox' && type !== 'radio') throw new Error(`“${nameOf(box)}” is no box to check`);
  if (!on && type === 'radio' && 'checked' in box.attribs) throw new Error(`“${nameOf(box)}” can't be taken back`);
  if (!on) delete box.attribs.checked;
  else {
    for (const other of type === 'radio' ? groupOf(box) : []) delete other.attribs.checked;
    box.attribs.checked = '';
  }
}

/** Returns the radio buttons of a group. */
const groupOf = (radio: Element): Element[] =>
  all('input[type=radio]', inDocument(radio)).filter(
    (one) =>
      one === radio || (radio.attribs.name && one.attribs.name === radio.attribs.name && formOf(one) === formOf(radio)),
  );

/** Selects an option by its label or its value. */
export function choose(select: Element, { label, value }: { label?: string; value?: string }): void {
  if (select.name !== 'select') throw new Error(`“${nameOf(select)}” is no select`);
  const options = all('option', select);
  const wanted = options.find((one) => (label === undefined ? optionValue(one) === value : optionLabel(one) === label));
  if (!wanted)
    throw new Error(`“${nameOf(select)}” offers no “${label ?? value}”, but ${options.map(optionLabel).join(', ')}`);
  if (isOptionOff(wanted)) throw new Error(`“${label ?? value}” can't be chosen`);
  if (!('multiple' in select.attribs)) for (const one of options) delete one.attribs.selected;
  wanted.attribs.selected = '';
}

// ---- submitting

/** Returns the reason why a browser would not submit the form; null if it would. */
export function refusalOf(form: Element, submitter: Element | undefined): string | null {
  if ('novalidate' in form.attribs || (submitter && 'formnovalidate' in submitter.attribs)) return null;
  for (const control of controlsOf(form)) {
    const wrong = isDisabled(control) || isButton(control) ? null : wrongWith(control);
    if (wrong !== null) return `“${nameOf(control)}” ${wrong}`;
  }
  return null;
}

function wrongWith(control: Element): string | null {
  const [type, { attribs }, value] = [typeOf(control), control, valueOf(control)];
  if (type === 'hidden' || 'readonly' in attribs) return null;
  if (!KNOWN.has(type)) return `is an input of type ${type}, which this driver doesn't know`;
  const required = 'required' in attribs;
  if (type === 'checkbox') return required && !('checked' in attribs) ? 'must be checked' : null;
  if (type === 'radio') {
    const group = groupOf(control);
    const needed = group.some((one) => 'required' in one.attribs) && !group.some((one) => 'checked' in one.attribs);
    return needed ? 'must be chosen' : null;
  }
  if (value === '') return required ? 'must be filled in' : null;
  if (type === 'select') return null;
  const [shortest, longest] = [Number(attribs.minlength ?? 0), Number(attribs.maxlength ?? Infinity)];
  if (value.length < shortest) return `needs ${shortest} characters`;
  if (value.length > longest) return `takes ${longest} characters`;
  if (attribs.pattern !== undefined && type !== 'textarea' && !new RegExp(`^(?:${attribs.pattern})$`, 'v').test(value))
    return `must match ${attribs.pattern}`;
  if (type === 'email' && !EMAIL.test(value)) return 'must be an email address';
  if (type === 'url' && !URL.canParse(value)) return 'must be an address';
  if (type === 'number') return outOfRange(control, Number(value), Number);
  if (type === 'date')
    return outOfRange(control, Date.parse(value) / 86_400_000, (text) => Date.parse(text) / 86_400_000);
  return null;
}

/** The pattern of the HTML standard. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

function outOfRange({ attribs }: Element, value: number, read: (text: string) => number): string | null {
  const [least, most] = [attribs.min, attribs.max].map((bound) => (bound ? read(bound) : undefined));
  if (least !== undefined && value < least) return `must be ${attribs.min} or more`;
  if (most !== undefined && value > most) return `must be ${attribs.max} or less`;
  if (attribs.step === 'any') return null;
  const step = Number(attribs.step ?? 1);
  const steps = (value - (least ?? 0)) / step;
  return Math.abs(steps - Math.round(steps)) > 1e-9 ? `must be in steps of ${step}` : null;
}

export interface Submission {
  readonly method: 'GET' | 'POST';
  /** as written on the page; empty for the address of the page */
  readonly action: string;
  readonly data: URLSearchParams;
}

/** Returns what a browser sends when this button is pressed. */
export function submissionOf(form: Element, submitter: Element): Submission {
  const of = (name: string): string | undefined => submitter.attribs[`form${name}`] ?? form.attribs[name];
  const method = (of('method') ?? 'get').toUpperCase();
  if (method !== 'GET' && method !== 'POST') throw new Error(`this driver sends no form by ${method}`);
  const encoding = of('enctype') ?? 'application/x-www-form-urlencoded';
  if (method === 'POST' && encoding !== 'application/x-www-form-urlencoded')
    throw new Error(`this driver sends no form as ${encoding}`);
  if (of('target') !== undefined) throw new Error('this driver has one window only');
  const data = new URLSearchParams();
  for (const control of controlsOf(form)) {
    const { name } = control.attribs;
    if (!name || isDisabled(control) || (isButton(control) && control !== submitter)) continue;
    for (const value of sentOf(control)) data.append(name, value.replaceAll(/\r\n|\r|\n/g, '\r\n'));
  }
  return { method, action: of('action') ?? '', data };
}

function sentOf(control: Element): string[] {
  if (control.name === 'select')
    return chosenOf(control)
      .filter((option) => !isOptionOff(option))
      .map(optionValue);
  const type = typeOf(control);
  if (type === 'checkbox' || type === 'radio')
    return 'checked' in control.attribs ? [control.attribs.value ?? 'on'] : [];
  if (!KNOWN.has(type))
    throw new Error(`“${nameOf(control)}” is an input of type ${type}, which this driver doesn't know`);
  return [valueOf(control)];
}
