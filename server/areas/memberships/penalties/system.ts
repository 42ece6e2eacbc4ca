import { Field } from '../../../kernel/base/fields/field.ts';
import {
  id,
  idsOf,
  instant,
  integer,
  money,
  moneyText,
  object,
  objectSchema,
  oneOf,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { raw, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { wireMoney, type WireMoney } from '../../../kernel/base/values/money.ts';
import type { AppliesTo } from './rules/sequences.ts';

const numbers = {
  max_infractions: integer({ min: 1, max: 1000 }).describe(
    'Number of free infractions. The next one leads to a penalty.',
  ),
  days: integer({ min: 5, max: 3650 }).describe(
    'Infractions count together if they are within this many days, including the first and the last.',
  ),
};

/** Returns the field for a rule in a request body. */
export const ruleBody = () =>
  object({ price: moneyText().describe('More than 0.'), ...numbers })
    .nullable()
    .optional();

interface ShownRule {
  readonly price: WireMoney;
  readonly max_infractions: number;
  readonly days: number;
}

/** Returns the field for a rule in a response; `found` is a sub-select of the row of the rule, as jsonb. */
const shownRule = (found: (t: string) => Sql): Field<ShownRule | null> =>
  new Field<ShownRule>({
    schema: objectSchema({ price: money(), ...numbers }),
    read: (_input, path, { issues }) => issues.add(path, "Can't be sent in this form."),
  })
    .computed(
      (t) => [found(t)],
      ([row], { currency }) => {
        if (row === null) return null;
        const { price_minor: minor, max_infractions, days } = JSON.parse(row);
        return { price: wireMoney({ minor, currency }), max_infractions, days };
      },
    )
    .nullable();

const ruleFor = (appliesTo: AppliesTo): Field<ShownRule | null> =>
  shownRule((t) =>
    raw(`(SELECT to_jsonb(r) FROM membership_penalty_rule r
      WHERE r.provider_id = ${t}.provider_id AND r.membership_penalty_system_id = ${t}.id
    AND r.applies_to = '${appliesTo}' AND r.ended_at IS NULL)`),
  ).describe('Null if there is no such rule.');

/** Returns the rule that the row under `t` references. */
export const ruleOf = (): Field<ShownRule | null> =>
  shownRule((t) =>
    raw(
      `(SELECT to_jsonb(r) FROM membership_penalty_rule r
        WHERE r.provider_id = ${t}.provider_id AND r.id = ${t}.rule_id)`,
    ),
  );

export const STATUSES = ['active', 'archived'] as const;

export const membershipPenaltySystem = resource('membership_penalty_system', {
  description: 'Penalties for late cancellations and absences of people who booked with a membership.',
  fields: {
    id: id(),
    memberships: idsOf('membership', {
      table: 'membership_penalty_system_membership',
      parent: 'membership_penalty_system_id',
      child: 'membership_id',
    }),
    name: text({ max: 256 }),
    status: oneOf(STATUSES),
    no_show_rule: ruleFor('no_shows'),
    late_cancel_rule: ruleFor('late_cancels'),
    late_cancel_or_no_show_rule: ruleFor('late_cancels_or_no_shows'),
    deferred_charge_days: integer({ min: 0, max: 365 }).describe(
      'Days between the penalty and the day on which it is charged.',
    ),
    archived_at: instant().nullable(),
  },
  visible: { provider: true, customer: false, unregistered: false },
});
