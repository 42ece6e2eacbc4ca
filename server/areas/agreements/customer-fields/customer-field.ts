/** Questions that a business asks its customers, and their answers. */
import { boolean, id, instant, integer, listOf, object, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { EXPLAINED, FIELD_TYPES } from './rules/answer.ts';
import { Field, type Wire } from '../../../kernel/base/fields/field.ts';
import { formatInstant, parseInstant } from '../../../kernel/base/values/instant.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const MAX_CHOICES = 200;

const choice = {
  value: text({ max: 255 }),
  label: text({ max: 255 }),
  order: integer({ min: 0, max: 32_767 }),
  created_at: instant(),
};

/** Matches fields that customers see: on their profile, when they sign up, or on a form. */
const asksCustomers = (t: string): Sql =>
  raw(`(NOT ${t}.archived AND (${t}.show_on_customer_profile OR ${t}.show_on_new_customer_form
    OR EXISTS (SELECT FROM customer_form_field l JOIN customer_form o ON o.provider_id = l.provider_id
        AND o.id = l.customer_form_id AND o.deleted_at IS NULL
      WHERE l.provider_id = ${t}.provider_id AND l.customer_field_id = ${t}.id)))`);

export const customerField = resource('customer_field', {
  description: 'A question that the business asks its customers, for example about allergies or an emergency contact.',
  fields: {
    id: id(),
    label: text({ max: 255 }).describe('A short name, for lists and columns.'),
    full_text: text({ max: 10_000 }).describe('The question as customers read it.'),
    type: oneOf(FIELD_TYPES),
    key: text({ max: 32 })
      .nullable()
      .describe('The name that conditions, columns of files and programs use for it. It never changes.'),
    explanation_required_condition: oneOf(EXPLAINED).describe(
      'Whether a yes or a no needs an explanation. `optional` allows one; `never` refuses it.',
    ),
    choices: listOf(object(choice), { max: MAX_CHOICES })
      .from(
        (t) => sql`(
          SELECT coalesce(jsonb_agg(jsonb_build_object('value', choice.value, 'label', choice.value,
            'order', choice.position,
            'created_at', to_char(choice.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
            ORDER BY choice.position, choice.id), '[]')
          FROM customer_field_choice choice
          WHERE choice.provider_id = ${raw(t)}.provider_id AND choice.customer_field_id = ${raw(t)}.id)`,
      )
      .describe('Possible choices, if `type` is `choice` or `multiple_choice`.'),
    is_visible_to_all_staff: boolean()
      .nullable()
      .describe('If true, all staff see the answers. Otherwise, only staff with the permission `customers`.'),
    show_on_customer_profile: boolean().describe('Whether customers see and change their answer in their account.'),
    show_on_new_customer_form: boolean().describe('Whether it is asked when somebody signs up or is added.'),
    system_use: text()
      .nullable()
      .from(() => raw('NULL::text'))
      .describe('Always null.'),
    help: text({ max: 1000 }).nullable().describe('An explanation below the question.'),
    order: integer().from((t) => raw(`${t}.position`)),
    is_required: boolean().describe('Whether customers must answer it where it is asked. Staff can leave it out.'),
    is_sensitive: boolean().describe(
      'Whether answers are encrypted where they are stored, and left out of audits and of files unless asked for.',
    ),
    show_at_check_in: boolean().describe(
      'Whether staff who may see the answer see it at the door: in `check_in_flags` of the customer. A “no” is left out.',
    ),
    archived: boolean().describe('Nobody is asked any more. Answers are kept.'),
    created_at: instant(),
  },
  visible: { provider: true, customer: asksCustomers, unregistered: asksCustomers },
});

/** Returns a field for an answer, whose form depends on the type of the question. */
export const answerField = (): Field<unknown> =>
  new Field<unknown>({
    schema: {
      type: ['string', 'integer', 'boolean', 'array', 'object'],
      items: { type: 'string' },
      additionalProperties: { type: ['string', 'boolean', 'null'] },
    },
    read: (input) => input,
    print: (stored) => JSON.parse(stored),
  }).describe(
    'By the type of the field: a text, a whole number, a decimal number as a text, `{"answer": true, "explanation": "Nuts"}`, a date, a time, one choice, an array of choices, or an address.',
  );

/** The purpose for which the answer to a sensitive question is sealed. */
export const purposeOf = (providerId: unknown, value: unknown): string => `customer_field_value:${providerId}:${value}`;

/** Columns of an answer `v` to the question `f`, for `answersOf`. */
export const ANSWER_COLUMNS = `'id', v.id, 'field', v.customer_field_id, 'customer', v.customer_id, 'value', v.value,
  'sealed', v.sealed, 'provider', v.provider_id, 'type', f.type,
  'created_at', extract(epoch FROM v.created_at) * 1000, 'updated_at', extract(epoch FROM v.updated_at) * 1000`;

interface StoredAnswer {
  readonly id: number;
  readonly provider: number;
  readonly type: string;
  readonly value: unknown;
  readonly sealed: string | null;
}

/** Returns an answer as it is shown: opened, and times in the zone of the business. */
function shown({ id: row, provider, type, value, sealed }: StoredAnswer, { secrets, zone }: Wire): unknown {
  const answer = sealed === null ? value : JSON.parse(secrets.open(purposeOf(provider, row), sealed));
  const at = type === 'datetime' ? parseInstant(answer, 'UTC') : null;
  return at === null ? answer : formatInstant(at, zone);
}

/** Returns the answers that a query gathered with `ANSWER_COLUMNS`, as `customer_field_value` shows them. */
export const answersOf = (rows: string | null, wire: Wire): object[] =>
  ((JSON.parse(rows ?? '[]') ?? []) as (StoredAnswer & Record<string, number>)[]).map((row) => ({
    object: 'customer_field_value',
    id: row.id,
    field: row.field,
    customer: row.customer,
    value: shown(row, wire),
    created_at: formatInstant(row.created_at, wire.zone),
    last_updated_at: formatInstant(row.updated_at, wire.zone),
  }));

const hasField = (t: string, condition: (f: string) => Sql): Sql =>
  sql`EXISTS (SELECT FROM customer_field f WHERE f.provider_id = ${raw(t)}.provider_id
    AND f.id = ${raw(t)}.customer_field_id AND ${condition('f')})`;

export const customerFieldValue = resource('customer_field_value', {
  description: 'The answer of one customer to one question.',
  fields: {
    id: id(),
    field: ref('customer_field', 'customer_field_id'),
    customer: ref('customer'),
    value: answerField().computed(
      (t) => [
        raw(`(SELECT jsonb_build_object('id', ${t}.id, 'provider', ${t}.provider_id, 'value', ${t}.value,
          'sealed', ${t}.sealed, 'type', f.type) FROM customer_field f
          WHERE f.provider_id = ${t}.provider_id AND f.id = ${t}.customer_field_id)`),
      ],
      ([row], wire) => shown(JSON.parse(row!), wire),
    ),
    created_at: instant(),
    last_updated_at: instant().from((t) => raw(`${t}.updated_at`)),
  },
  visible: {
    provider: (t, viewer) => may(viewer, 'customers') || hasField(t, (f) => raw(`${f}.is_visible_to_all_staff`)),
    customer: (t) => sql`${ofMyFamily(`${t}.customer_id`)} AND ${hasField(t, asksCustomers)}`,
    unregistered: false,
  },
  secret: ['sealed'],
});
