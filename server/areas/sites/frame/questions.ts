/**
 * Questions of the business as fields of a form, and the answers of a sent form as the interface takes them. Each
 * question is one field, except that a yes or no can have an explanation, and an address has a field for each line.
 */
import {
  checks,
  choice,
  date,
  digits,
  keptValues,
  longText,
  moment,
  radios,
  text,
  withError,
  type Draft,
  type Fields,
} from '../../../kernel/pages/form.ts';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import { FORM_MESSAGES, type FormKey } from '../../../kernel/pages/messages.ts';
import { FRAME, type FrameKey } from './messages.ts';
import { writtenWith, type Written as WrittenWith } from './written.ts';
import type { Entrance } from './entrance.ts';
import type { EntryWhole } from './ask.ts';
import type { Problem } from '../../../kernel/base/problem.ts';
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import type { Visit } from '../../../kernel/pages/visit.ts';

export type Question = Pick<
  EntryWhole<'GET /customer_fields'>,
  'id' | 'label' | 'full_text' | 'type' | 'explanation_required_condition' | 'choices' | 'help' | 'is_required'
>;

export const QUESTION = 'id,label,full_text,type,explanation_required_condition,choices,help,is_required';

type Key = TextKey<'pages', 'accounts/questions'> | FormKey | FrameKey;
export type QuestionSay = Say<Key>;

export const QUESTIONS = Catalog.read('pages', 'accounts/questions');
const CATALOG = FRAME.and(FORM_MESSAGES).and(QUESTIONS);

/** Returns the texts of pages with questions in the language of the person who reads. */
export const questionsWritten = (visit: Visit<Entrance>): WrittenWith<Key> => writtenWith(visit, CATALOG);

const ADDRESS = [
  ['address_line1', 'address-line1'],
  ['address_line2', 'address-line2'],
  ['postcode', 'postal-code'],
  ['city', 'address-level2'],
  ['region', 'address-level1'],
  ['country', 'country-name'],
] as const;

/** More choices than these are a list to open. */
const MAX_RADIOS = 8;

const nameOf = ({ id }: Pick<Question, 'id'>): string => `q${id}`;
const whyOf = (question: Pick<Question, 'id'>): string => `${nameOf(question)}_why`;

/** Returns the fields of the questions, in their order. */
export const questionFields = (questions: readonly Question[], say: QuestionSay): Fields =>
  Object.assign({}, ...questions.map((question) => fieldsOf(question, say)));

function fieldsOf(question: Question, say: QuestionSay): Fields {
  const { full_text: label, help, is_required: required, type, choices } = question;
  const name = nameOf(question);
  const about = { optional: !required, ...(help !== null && { hint: help }) };
  const options = choices.map(({ value, label: shown }) => [value, shown] as const);
  switch (type) {
    case 'short_text':
      return { [name]: text(label, { max: 255, ...about }) };
    case 'long_text':
      return { [name]: longText(label, about) };
    case 'integer':
    case 'decimal':
      return { [name]: digits('number', label, about) };
    case 'phone_number':
      return { [name]: digits('phone', label, about) };
    case 'date':
      return { [name]: date(label, about) };
    case 'datetime':
      return { [name]: moment(label, about) };
    case 'choice':
      return {
        [name]:
          options.length > MAX_RADIOS
            ? choice(label, options, about)
            : radios(label, [...options, ...noAnswer(required, say)], about),
      };
    case 'multiple_choice':
      return { [name]: checks(label, options, about) };
    case 'boolean':
      return yesOrNo(question, say);
    case 'address':
      return Object.fromEntries(
        ADDRESS.map(([part, autocomplete], i) => [
          `${name}_${part}`,
          text(`${label} ${say(`address.${part}`)}`, {
            max: 255,
            autocomplete,
            optional: !(required && i === 0),
            ...(i === 0 && help !== null && { hint: help }),
          }),
        ]),
      );
  }
}

const noAnswer = (required: boolean, say: QuestionSay) => (required ? [] : [['', say('answer.none')] as const]);

function yesOrNo(question: Question, say: QuestionSay): Fields {
  const { full_text: label, help, is_required: required, explanation_required_condition: explained } = question;
  const answers = [['yes', say('answer.yes')] as const, ['no', say('answer.no')] as const];
  return {
    [nameOf(question)]: radios(label, [...answers, ...noAnswer(required, say)], {
      optional: !required,
      ...(help !== null && { hint: help }),
    }),
    ...(explained !== 'never' && { [whyOf(question)]: longText(say(`why.${explained}`), { optional: true }) }),
  };
}

type Values = Readonly<Record<string, any>>;

/** An answer as the interface takes it; null: none. */
export interface SentAnswer {
  readonly field: number;
  readonly value: unknown;
}

/** Returns an answer to each question, in their order. `values`: those that the fields read. */
export const answersIn = (questions: readonly Question[], values: Values): SentAnswer[] =>
  questions.map((question) => ({ field: question.id, value: answerIn(question, values) }));

const isAsked = (explained: Question['explanation_required_condition'], yes: boolean): boolean =>
  explained === 'always' || explained === (yes ? 'if_true' : 'if_false');

function answerIn(question: Question, values: Values): unknown {
  const sent = values[nameOf(question)];
  switch (question.type) {
    case 'address': {
      const parts = ADDRESS.flatMap(([part]) => {
        const value = values[`${nameOf(question)}_${part}`];
        return value ? [[part, value] as const] : [];
      });
      return parts.length === 0 ? null : Object.fromEntries(parts);
    }
    case 'boolean': {
      if (sent !== 'yes' && sent !== 'no') return null;
      const { explanation_required_condition: explained } = question;
      const why = values[whyOf(question)];
      // An explanation of the other answer is left from a changed mind.
      const isKept = why && (explained === 'optional' || isAsked(explained, sent === 'yes'));
      return { answer: sent === 'yes', ...(isKept && { explanation: why }) };
    }
    case 'multiple_choice':
      return sent.length === 0 ? null : sent;
    case 'integer':
      return sent === '' ? null : /^-?\d{1,15}$/.test(sent) ? Number(sent) : sent;
    default:
      return sent === '' ? null : sent;
  }
}

/** Returns the draft of a sent form with an error for each explanation that is missing. */
export function withMissingExplanations(
  questions: readonly Question[],
  form: URLSearchParams,
  draft: Draft,
  say: QuestionSay,
): Draft {
  const missing = questions.filter((question) => {
    const sent = form.get(nameOf(question));
    return (
      question.type === 'boolean' &&
      (sent === 'yes' || sent === 'no') &&
      isAsked(question.explanation_required_condition, sent === 'yes') &&
      !form.get(whyOf(question))?.trim()
    );
  });
  return missing.reduce((all, question) => withError(all, whyOf(question), say('form.fill_in')), draft);
}

/** Returns the field for a property of `answersIn` that the interface refuses, for example `values.3.value`. */
const fieldOfAnswer =
  (questions: readonly Question[]) =>
  (property: string): string | null => {
    const [, i] = /^(?:values|field_values)\.(\d+)\./.exec(property) ?? [];
    const question = i === undefined ? undefined : questions[Number(i)];
    if (!question) return null;
    return question.type === 'address' ? `${nameOf(question)}_address_line1` : nameOf(question);
  };

/** Returns the draft with what the interface refused about the answers, at their fields. */
export function withRefusedAnswers(
  questions: readonly Question[],
  draft: Draft,
  { fields, message, status }: Pick<Problem, 'fields' | 'message' | 'status'>,
): Draft {
  const fieldOf = fieldOfAnswer(questions);
  const named = Object.entries(fields).flatMap(([property, [said]]) => {
    const name = fieldOf(property);
    return name === null ? [] : [[name, withoutLabel(questions, name, said)] as const];
  });
  return named.length === 0
    ? withError(draft, '', message, status)
    : named.reduce((all, [name, said]) => withError(all, name, said), draft);
}

/** Returns a message without the name of the question before it: the page shows it there. */
function withoutLabel(questions: readonly Question[], name: string, said: string): string {
  const label = questions.find(
    (question) => name === nameOf(question) || name.startsWith(`${nameOf(question)}_`),
  )?.label;
  return label !== undefined && said.startsWith(`${label}: `) ? said.slice(label.length + 2) : said;
}

/** Returns what the fields begin with: the answers that the customer gave before. */
export function keptAnswers(
  questions: readonly Question[],
  answers: readonly { readonly field: number; readonly value: unknown }[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const question of questions) {
    const given = answers.find(({ field }) => field === question.id)?.value ?? null;
    if (given !== null) Object.assign(kept, keptAnswer(question, given));
  }
  return kept;
}

function keptAnswer(question: Question, given: any): Record<string, string> {
  const name = nameOf(question);
  switch (question.type) {
    case 'address':
      return Object.fromEntries(ADDRESS.map(([part]) => [`${name}_${part}`, given[part] ?? '']));
    case 'boolean':
      return { [name]: given.answer ? 'yes' : 'no', [whyOf(question)]: given.explanation ?? '' };
    case 'multiple_choice':
      return { [name]: keptValues(given) };
    case 'datetime':
      return { [name]: String(given).slice(0, 16) };
    default:
      return { [name]: String(given) };
  }
}
