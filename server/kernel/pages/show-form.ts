/**
 * Rendering of forms: labels above their fields, and errors next to them and gathered at the top, each linked to its
 * field.
 */
import { html, type Html } from '../base/markup/html.ts';
import { IN_ENGLISH, type FormSay } from './messages.ts';
import type { Draft, Field, Fields } from './form.ts';

export interface FormLook {
  readonly fields: Fields;
  readonly draft: Draft;
  /** address that the form is sent to; if absent, that of the page */
  readonly action?: string;
  readonly button: string;
  /** for actions that can't be undone, or that are not the main one of the page */
  readonly tone?: 'danger' | 'quiet';
  /** the page's token, see csrf.ts */
  readonly token: string;
  /** prefix of the field ids; needed if a page has several forms */
  readonly id?: string;
  /** text before the button, which stays beside it */
  readonly beside?: Html;
  /** further buttons and links below */
  readonly below?: Html;
  /** other fields that answer the form as well, in a section that is closed at first */
  readonly instead?: {
    readonly title: string;
    readonly fields: Fields;
    readonly button: string;
    readonly open: boolean;
    readonly below?: Html;
  };
  /** phrases texts for the person who reads the form */
  readonly say?: FormSay;
}

export const TOKEN_FIELD = 'form_token';

export function showForm({
  fields,
  draft,
  action,
  button,
  tone,
  token,
  id = '',
  beside,
  below,
  instead,
  say = IN_ENGLISH,
}: FormLook): Html {
  const show = (some: Fields) => Object.entries(some).map(([name, field]) => showField(field, name, id, draft, say));
  return html`<form method="post"${action ? html` action="${action}"` : null} novalidate>
<input type="hidden" name="${TOKEN_FIELD}" value="${token}">
${show(fields)}
<div class="actions">${beside}<button${tone ? html` class="${tone}"` : null}>${button}</button>${below}</div>
${
  instead &&
  html`<details class="instead"${instead.open ? html` open` : null}><summary>${instead.title}</summary>
${show(instead.fields)}
<div class="actions"><button class="quiet">${instead.button}</button>${instead.below}</div></details>
`
}</form>`;
}

/** Lists the errors of the page's forms at the top. It takes the focus, so that screen readers read it first. */
export function errorSummary(fields: Fields, draft: Draft, id = '', say: FormSay = IN_ENGLISH): Html | null {
  const errors = Object.entries(draft.errors);
  if (errors.length === 0) return null;
  return html`<div class="problem" role="alert" tabindex="-1" autofocus aria-labelledby="problem-title">
<h2 id="problem-title">${say('form.problems', { n: errors.length })}</h2>
<ul>${errors.map(
    ([name, error]) =>
      html`<li>${
        fields[name]?.label ? html`<a href="#${id}${name}">${named(fields[name].label)} ${error}</a>` : error
      }</li>`,
  )}</ul>
</div>`;
}

const named = (label: string): string => (/[?!.]$/.test(label) ? label : `${label}:`);

function showField(field: Field, name: string, prefix: string, { kept, errors }: Draft, say: FormSay): Html {
  if (field.kind === 'hidden') return html`<input type="hidden" name="${name}" value="${kept[name] ?? ''}">`;
  const id = prefix + name;
  const error = errors[name];
  const described = [field.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const shared = html` id="${id}" name="${name}"${
    described ? html` aria-describedby="${described}"` : null
  }${error ? html` aria-invalid="true"` : null}`;
  const hint = field.hint ? html`<p class="hint" id="${id}-hint">${field.hint}</p>` : null;
  const wrong = error
    ? html`<p class="wrong" id="${id}-error"><span class="unseen">${say('form.wrong')} </span>${error}</p>`
    : null;
  const rest = html`${shared}${field.required ? html` required` : null}${
    field.autocomplete ? html` autocomplete="${field.autocomplete}"` : null
  }`;
  if (field.kind === 'check') {
    return html`<div class="field check"><input type="checkbox"${shared}${
      kept[name] === 'on' ? html` checked` : null
    }><label for="${id}">${field.label}</label>${hint}${wrong}</div>`;
  }
  if (field.kind === 'radios' || field.kind === 'checks')
    return boxes(field, { id, name, hint, wrong, described, chosen: kept[name], optional: say('form.optional') });
  const label = html`<label for="${id}">${field.label}${
    field.required ? null : html` <span class="soft">${say('form.optional')}</span>`
  }</label>`;
  return html`<div class="field">${label}${hint}${wrong}${
    field.kind === 'choice'
      ? select(field, rest, kept[name], say)
      : field.kind === 'lines'
        ? lines(field, rest, kept[name])
        : input(field, rest, kept[name])
  }</div>`;
}

interface Boxes {
  readonly id: string;
  readonly name: string;
  readonly hint: Html | null;
  readonly wrong: Html | null;
  readonly described: string;
  readonly chosen: string | undefined;
  readonly optional: string;
}

/** Renders radio buttons or, for a field with several values, checkboxes. */
function boxes(field: Field, { id, name, hint, wrong, described, chosen, optional }: Boxes): Html {
  const { label, options = [], pictures, required } = field;
  const several = field.kind === 'checks';
  const values = several ? (chosen ?? '').split('\n') : [chosen];
  // The first one has the id of the field, so that the error summary links to it.
  const idOf = (i: number) => (i === 0 ? id : `${id}-${i}`);
  const soft = several && !required ? html` <span class="soft">${optional}</span>` : null;
  const must = required && !several ? html` required` : null;
  const box = ([value, text]: readonly [string, string], i: number) => {
    const on = values.includes(value) ? html` checked` : null;
    const type = several ? 'checkbox' : 'radio';
    return html`<div class="check"><input type="${type}" id="${idOf(i)}" name="${name}" value="${value}"${on}${must}>
<label for="${idOf(i)}">${text}${pictures?.get(value)}</label></div>`;
  };
  return html`<fieldset class="radios"${
    described ? html` aria-describedby="${described}"` : null
  }><legend>${label}${soft}</legend>${hint}${wrong}
${options.map(box)}</fieldset>`;
}

const select = (field: Field, rest: Html, chosen: string | undefined, say: FormSay): Html =>
  html`<select${rest}><option value="">${say('form.choose')}</option>${(field.options ?? []).map(
    ([value, label]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`,
  )}</select>`;

const lines = ({ max }: Field, rest: Html, value: string | undefined): Html =>
  html`<textarea rows="3" dir="auto" maxlength="${max}"${rest}>
${value ?? ''}</textarea>`;

const TYPES: Partial<Record<Field['kind'], Html>> = {
  date: html`type="date"`,
  moment: html`type="datetime-local"`,
  number: html`type="text" inputmode="decimal"`,
  phone: html`type="tel"`,
  email: html`type="email" inputmode="email" autocapitalize="none" spellcheck="false"`,
  password: html`type="password" autocapitalize="none" spellcheck="false"`,
  code: html`type="text" class="code" autocapitalize="none" spellcheck="false"`,
};

// Secrets have no maxlength: a browser would silently cut a pasted one.
const input = (field: Field, rest: Html, value: string | undefined): Html =>
  html`<input ${TYPES[field.kind] ?? html`type="text"`}${
    field.digits ? html` inputmode="numeric" pattern="[0-9 \-]*"` : null
  }${field.kept ? html` maxlength="${field.max}"` : null}${value ? html` value="${value}"` : null}${rest}>`;
