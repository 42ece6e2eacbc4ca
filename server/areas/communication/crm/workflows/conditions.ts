/** Conditions on the wire: one of several shapes, distinguished by `condition_type`. */
import { boolean, id, integer, listOf, objectSchema, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { COMPARISONS, EQUALITIES, type Condition, type ConditionType } from '../rules/conditions.ts';
import { Field, nearest, readShape, type Shape } from '../../../../kernel/base/fields/field.ts';

const comparison = () => oneOf(COMPARISONS);
const equality = () => oneOf(EQUALITIES);
const named = () => text({ max: 64 }).describe('The slug, the id or the name.');

/** Properties in addition to `condition_type`. */
export const CONDITIONS: { readonly [T in ConditionType]: Shape } = {
  customer_label: { operator: equality(), label: named() },
  crm_status_change: { from: named().nullable().optional(), to: named().nullable().optional() },
  customer_status: { operator: equality(), status: named().nullable() },
  visits: {
    operator: comparison(),
    count: integer({ min: 0, max: 10_000 }),
    days: integer({ min: 1, max: 730 }).describe('The number of days to look back, including today.'),
  },
  days_since_last_visit: { operator: comparison(), days: integer({ min: 0, max: 3650 }) },
  upcoming_booking: { operator: equality(), value: boolean() },
  age: { operator: comparison(), years: integer({ min: 0, max: 150 }) },
  venue: { operator: equality(), venue: id() },
  customer_field: {
    operator: equality(),
    field: id().describe('Id of a question (`/customer_fields`).'),
    value: text({ max: 255 })
      .nullable()
      .describe('`yes` or `no`, a choice, or another answer. Null means that there is no answer.'),
  },
  membership_held: {
    operator: equality(),
    membership: id().nullable().optional().describe('Null or left out means any.'),
  },
};

const TYPES = Object.keys(CONDITIONS) as ConditionType[];

const shapeOf = (type: ConditionType): Shape => ({ condition_type: oneOf([type]), ...CONDITIONS[type] });

const condition = (): Field<Condition> =>
  new Field<Condition>({
    schema: { oneOf: TYPES.map((type) => ({ title: type, ...objectSchema(shapeOf(type)) })) },
    read: (input, path, reading) => {
      const type = (input as { condition_type?: unknown } | null)?.condition_type;
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return reading.issues.add(path, 'A condition must be an object.');
      if (!TYPES.includes(type as ConditionType)) {
        const near = typeof type === 'string' ? nearest(type, TYPES) : undefined;
        return reading.issues.add(
          `${path}.condition_type`,
          `Must be one of: ${TYPES.join(', ')}.${near ? ` Did you mean "${near}"?` : ''}`,
        );
      }
      return readShape(shapeOf(type as ConditionType), input, path, reading);
    },
  });

export const conditions = (): Field<Condition[]> => listOf(condition(), { max: 20 });
