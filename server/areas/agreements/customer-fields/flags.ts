/** Answers that staff see at the door, for example "Asthma: yes". */
import { ANSWER_COLUMNS, answerField, answersOf } from './customer-field.ts';
import { FIELD_TYPES } from './rules/answer.ts';
import { id, listOf, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { isFlag } from './rules/flag.ts';
import { viewedByCarers } from '../../people/customers/index.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';
import { param, raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Properties } from '../../../kernel/api/resource.ts';

const isStaff = param<Input>(({ viewer }) => viewer.mode === 'provider');

const flag = object({ field: id(), label: text(), type: oneOf(FIELD_TYPES), value: answerField() });

export const flagProperties: Properties = {
  fields: {
    check_in_flags: listOf(flag)
      .computed(
        (t) => [
          sql`(SELECT jsonb_agg(jsonb_build_object('label', f.label, ${raw(ANSWER_COLUMNS)}) ORDER BY f.position, f.id)
            FROM customer_field f JOIN customer_field_value v ON v.provider_id = f.provider_id
              AND v.customer_field_id = f.id
            WHERE f.provider_id = ${raw(t)}.provider_id AND f.show_at_check_in AND NOT f.archived
              AND v.customer_id = ${raw(t)}.id AND (${viewedByCarers}::boolean
                OR (${isStaff}::boolean AND f.is_visible_to_all_staff)))`,
        ],
        ([rows], wire) => {
          const asked = JSON.parse(rows ?? '[]') as { field: number; label: string; type: string }[];
          return answersOf(rows, wire).flatMap((answer: any, i) => {
            const { field, label, type } = asked[i];
            return isFlag(type, answer.value) ? [{ field, label, type, value: answer.value }] : [];
          });
        },
      )
      .deferred()
      .describe(
        'Answers to questions with `show_at_check_in`, as far as the caller may see them; a “no” is left out. For staff.',
      ),
  },
};
