/** The actions and conditions of workflows, and their display texts. */
import type { AskedOf, ItemOf } from 'rollcall-sdk';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

export type Action = ItemOf<'GET /crm/workflow_actions'>;
export type ActionBody = AskedOf<'POST /crm/workflow_actions', never, never>['body'];
export type Condition = ActionBody['conditions'][number];
export type ConditionType = Condition['condition_type'];
export type ActionType = ActionBody['action_type'];

export const ACTION_TYPES = [
  'email_customer',
  'sms_customer',
  'email_staff',
  'add_label',
  'remove_label',
  'set_status',
  'create_task',
  'call_webhook',
] as const satisfies readonly ActionType[];

/** The initial values of each kind of condition. */
export const BLANK = {
  customer_label: { condition_type: 'customer_label', operator: 'equals', label: '' },
  customer_status: { condition_type: 'customer_status', operator: 'equals', status: null },
  crm_status_change: { condition_type: 'crm_status_change', to: null },
  visits: { condition_type: 'visits', operator: 'at_least', count: 1, days: 30 },
  days_since_last_visit: { condition_type: 'days_since_last_visit', operator: 'at_least', days: 30 },
  upcoming_booking: { condition_type: 'upcoming_booking', operator: 'equals', value: false },
  age: { condition_type: 'age', operator: 'at_least', years: 18 },
  venue: { condition_type: 'venue', operator: 'equals', venue: 0 },
  customer_field: { condition_type: 'customer_field', operator: 'equals', field: 0, value: 'yes' },
  membership_held: { condition_type: 'membership_held', operator: 'equals', membership: null },
} as const satisfies { readonly [T in ConditionType]: Extract<Condition, { condition_type: T }> };

export const CONDITION_TYPES = Object.keys(BLANK) as ConditionType[];

export const COMPARISONS = {
  equals: '=',
  not_equals: '≠',
  less_than: '<',
  at_most: '≤',
  at_least: '≥',
  more_than: '>',
} as const;

const MAX_ROWS = 100;

export interface Named {
  readonly value: string;
  readonly name: string;
}

/** The names of the objects that conditions and actions refer to. */
export interface Names {
  readonly labels: readonly Named[];
  readonly statuses: readonly Named[];
  readonly venues: readonly Named[];
  readonly memberships: readonly Named[];
  readonly staff: readonly Named[];
  readonly questions: readonly QuestionNamed[];
}

/** A question, with the answers that can be chosen; none: any text. */
export interface QuestionNamed extends Named {
  readonly answers: readonly Named[];
}

const bySlug = (all: readonly { slug: string; name: string }[] = []): Named[] =>
  all.map(({ slug, name }) => ({ value: slug, name }));
const byId = (all: readonly { id: number; name: string }[] = []): Named[] =>
  all.map(({ id, name }) => ({ value: String(id), name }));

export function useNames(): Names {
  const labels = useCall('GET /customer_labels', {
    query: { sort: ['name'], page_size: MAX_ROWS },
    fields: ['slug', 'name'],
  });
  const statuses = useCall('GET /customer_statuses', { query: { page_size: MAX_ROWS }, fields: ['slug', 'name'] });
  const venues = useCall('GET /venues', { query: { page_size: MAX_ROWS }, fields: ['id', 'name'] });
  const memberships = useCall('GET /memberships', {
    query: { sort: ['name'], page_size: MAX_ROWS },
    fields: ['id', 'name'],
  });
  const staff = useCall('GET /staff', { query: { page_size: MAX_ROWS }, fields: ['id', 'name'] });
  const questions = useCall('GET /customer_fields', {
    query: { archived: false, page_size: MAX_ROWS },
    fields: ['id', 'label', 'type', 'choices'],
  });
  return {
    questions: (questions.data?.results ?? []).map(({ id, label, type, choices }) => ({
      value: String(id),
      name: label,
      answers:
        type === 'boolean'
          ? (['yes', 'no'] as const).map((value) => ({ value, name: words.say(`answer.${value}`) }))
          : choices.map(({ value }) => ({ value, name: value })),
    })),
    labels: bySlug(labels.data?.results),
    statuses: bySlug(statuses.data?.results),
    venues: byId(venues.data?.results),
    memberships: byId(memberships.data?.results),
    staff: byId(staff.data?.results),
  };
}

export const nameIn = (all: readonly Named[], value: string | number | null | undefined): string =>
  all.find((one) => one.value === String(value))?.name ?? String(value ?? '');

/** Returns for example `Visits in 30 days ≥ 1`. */
export function conditionSaid(condition: Condition, names: Names): string {
  const status = (slug: string | null | undefined): string =>
    slug === null ? words.say('status.none') : slug === undefined ? words.say('any') : nameIn(names.statuses, slug);
  switch (condition.condition_type) {
    case 'customer_label':
      return words.say(`if.label.${condition.operator}`, { what: nameIn(names.labels, condition.label) });
    case 'customer_status':
      return words.say(`if.status.${condition.operator}`, { what: status(condition.status) });
    case 'crm_status_change':
      return words.say('if.status_change', { from: status(condition.from), to: status(condition.to) });
    case 'visits':
      return words.say('if.visits', {
        days: condition.days,
        than: `${COMPARISONS[condition.operator]} ${condition.count}`,
      });
    case 'days_since_last_visit':
      return words.say('if.last_visit', { than: `${COMPARISONS[condition.operator]} ${condition.days}` });
    case 'upcoming_booking':
      return words.say((condition.operator === 'equals') === condition.value ? 'if.booking.yes' : 'if.booking.no');
    case 'age':
      return words.say('if.age', { than: `${COMPARISONS[condition.operator]} ${condition.years}` });
    case 'venue':
      return words.say(`if.venue.${condition.operator}`, { what: nameIn(names.venues, condition.venue) });
    case 'customer_field': {
      const question = names.questions.find(({ value }) => value === String(condition.field));
      const answer =
        condition.value === null ? words.say('answer.none') : nameIn(question?.answers ?? [], condition.value);
      return words.say(`if.field.${condition.operator}`, { question: question?.name ?? '', answer });
    }
    case 'membership_held':
      return words.say(`if.membership.${condition.operator}`, {
        what:
          condition.membership === null || condition.membership === undefined
            ? words.say('any')
            : nameIn(names.memberships, condition.membership),
      });
  }
}

/** Describes the action and its object: `Add a label: Regular`. */
export function actionSaid(action: Action, names: Names): string {
  const what = {
    email_customer: action.email_template?.subject,
    sms_customer: action.text,
    email_staff: `${nameIn(names.staff, action.staff)}: ${action.email_template?.subject ?? ''}`,
    add_label: nameIn(names.labels, action.label),
    remove_label: nameIn(names.labels, action.label),
    set_status: nameIn(names.statuses, action.status),
    create_task: action.title,
    call_webhook: '',
  }[action.action_type as ActionType];
  return [words.say(`do.${action.action_type as ActionType}`), what].filter(Boolean).join(': ');
}
