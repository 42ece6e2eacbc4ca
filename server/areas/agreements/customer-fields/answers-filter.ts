/** Finds customers by their answers: the filter `answers` of lists of customers, and of broadcasts. */
import { comparable, readWanted, type Wanted } from './rules/wanted.ts';
import { fill, raw, sql, statement } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { provider, type Input } from '../../../kernel/work/access/viewer.ts';
import { viewedByCarers } from '../../people/customers/index.ts';
import type { FieldType } from './rules/answer.ts';
import type { Filter } from '../../../kernel/api/endpoint.ts';
import type { Send } from '../../../kernel/base/db/sharing/batch.ts';

const FIELDS = statement(
  sql`SELECT f.id, f.key, f.type, f.is_sensitive FROM customer_field f WHERE f.provider_id = ${provider}
      AND (${viewedByCarers}::boolean OR f.is_visible_to_all_staff)`,
);

interface Question {
  readonly id: number;
  readonly type: FieldType;
  readonly sensitive: boolean;
}

async function questions(input: Input, send: Send): Promise<Map<string, Question>> {
  const [{ rows }] = await send([{ statement: FIELDS, values: fill(FIELDS.holes, input) }]);
  return new Map(
    rows.map(([id, key, type, sensitive]) => [
      key!,
      { id: Number(id), type: type as FieldType, sensitive: sensitive === 't' },
    ]),
  );
}

const HINT = 'Send the key of a question and an answer, for example allergy:yes.';

/** @throws Problem that names the question */
function conditionOf({ key, match, value }: Wanted, known: ReadonlyMap<string, Question>) {
  const question = known.get(key);
  if (!question) throw invalid('answers', `There is no question with the key “${key}”.`);
  const { id: field, type, sensitive } = question;
  if (match !== 'is') return { field, type, match, value: null };
  if (sensitive)
    throw invalid(
      'answers',
      `The answers to “${key}” are encrypted, so they can’t be compared. Use ${key}:* or ${key}:none.`,
    );
  const compared = comparable(type, value);
  if (compared === null) throw invalid('answers', `The answer to “${key}” is yes or no.`);
  return { field, type, match, value: compared };
}

export const answersFilter: Filter = {
  field: listOf(text({ max: 300 }), { max: 20 })
    .optional()
    .describe(
      'Only customers with all of these answers, each as the key of a question and a value: `allergy:yes`, `size:M`. ' +
        '`size:*` finds everybody who answered, `size:none` everybody who did not. For staff who may see the answers.',
    ),
  resolve: async (input, send) => {
    const sent: readonly string[] = input.query.answers ?? [];
    if (input.viewer.mode !== 'provider') return null;
    const known = await questions(input, send);
    const conditions = sent.map((one) => {
      const wanted = readWanted(one);
      if (wanted === null) throw invalid('answers', `“${one.slice(0, 80)}” can’t be read. ${HINT}`);
      return conditionOf(wanted, known);
    });
    return JSON.stringify(conditions);
  },
  // Null finds nobody.
  where: (t, wanted) => sql`(${wanted}::jsonb IS NOT NULL AND NOT EXISTS (
    SELECT FROM jsonb_to_recordset(${wanted}::jsonb) AS w (field bigint, type text, match text, value text)
    WHERE (w.match = 'none') = EXISTS (SELECT FROM customer_field_value given
      WHERE given.provider_id = ${raw(t)}.provider_id AND given.customer_id = ${raw(t)}.id
        AND given.customer_field_id = w.field
        AND (w.match <> 'is' OR CASE w.type
          WHEN 'boolean' THEN given.value ->> 'answer' = w.value
          WHEN 'multiple_choice' THEN given.value @> to_jsonb(ARRAY[w.value])
          WHEN 'address' THEN EXISTS (SELECT FROM jsonb_each_text(given.value) part
            WHERE lower(part.value) = lower(w.value))
          ELSE lower(given.value #>> '{}') = lower(w.value) END))))`,
};
