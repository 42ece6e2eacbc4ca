/** Answers as later areas compare them with a value, for example in conditions of workflows. */
import { comparedValues } from './rules/wanted.ts';
import { purposeOf } from './customer-field.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { FieldType } from './rules/answer.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Row {
  readonly id: number;
  readonly customer: number;
  readonly field: number;
  readonly type: FieldType;
  readonly value: unknown;
  readonly sealed: string | null;
}

/** Reads answers by customer and question: as they are compared, with sensitive ones opened. */
export async function readComparedAnswers(
  { tx, providerId, installation }: Work,
  customers: readonly number[],
  fields: readonly number[],
): Promise<Map<number, Map<number, readonly string[]>>> {
  const found = new Map<number, Map<number, readonly string[]>>();
  if (fields.length === 0) return found;
  const rows = await tx.rows<Row>(sql`
    SELECT v.id, v.customer_id AS customer, v.customer_field_id AS field, f.type, v.value, v.sealed
    FROM customer_field_value v
    JOIN customer_field f ON f.provider_id = v.provider_id AND f.id = v.customer_field_id
    WHERE v.provider_id = ${providerId} AND v.customer_id = ANY(${customers}::bigint[])
      AND v.customer_field_id = ANY(${fields}::bigint[])`);
  for (const { id, customer, field, type, value, sealed } of rows) {
    const answer = sealed === null ? value : JSON.parse(installation.box.open(purposeOf(providerId, id), sealed));
    const mine = found.get(customer) ?? new Map<number, readonly string[]>();
    found.set(customer, mine.set(field, comparedValues(type, answer)));
  }
  return found;
}
