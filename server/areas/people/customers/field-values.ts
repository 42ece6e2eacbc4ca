/**
 * Answers to questions of the business, which requests about customers carry. The area that stores them fills the port.
 */
import { invalid } from '../../../kernel/base/problem.ts';
import { id, listOf, object } from '../../../kernel/base/fields/kinds.ts';
import { Port, type Item } from '../../../kernel/base/fields/port.ts';
import { Field } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const MAX_VALUES = 100;

export interface FieldValue {
  readonly field: number;
  /** null removes the answer */
  readonly value: unknown;
}

export interface FieldValueWriter extends Item {
  /** Stores the answers. `isSignUp`: a person signs up, so every required question must be answered. */
  write(work: Work, customer: number, values: readonly FieldValue[], isSignUp: boolean): Promise<void>;
}

export const fieldValueWriters = new Port<FieldValueWriter>('writer of customer fields', () => 'customer');

const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

/** The id of a field, also as a text, as the interface documents it, or as the field itself. */
const fieldId = (): Field<number> => {
  const { spec } = id();
  return new Field<number>({
    ...spec,
    read: (input, path, reading) => {
      const sent = isObject(input) ? input.id : input;
      return spec.read(typeof sent === 'string' && /^\d{1,15}$/.test(sent) ? Number(sent) : sent, path, reading);
    },
  });
};

const answer = (): Field<unknown> =>
  new Field<unknown>({ schema: {}, read: (input) => input })
    .nullable()
    .describe('By the type of the field. Null removes the answer.');

/** Properties that an answer is returned with, and that can be sent back. */
const RETURNED = new Set(['object', 'id', 'customer', 'created_at', 'last_updated_at']);

function fieldValue(): Field<FieldValue> {
  const { spec } = object({ field: fieldId(), value: answer() });
  return new Field<FieldValue>({
    ...spec,
    read: (input, path, reading) =>
      spec.read(
        isObject(input) ? Object.fromEntries(Object.entries(input).filter(([name]) => !RETURNED.has(name))) : input,
        path,
        { ...reading, back: undefined },
      ),
  });
}

export const fieldValues = (): Field<FieldValue[]> =>
  listOf(fieldValue(), { max: MAX_VALUES }).describe(
    'Answers to questions of the business (`/customer_fields`). Other answers stay.',
  );

/** Stores the answers of a request. */
export async function writeFieldValues(
  work: Work,
  customer: number,
  values: readonly FieldValue[] | undefined,
  { isSignUp = false } = {},
): Promise<void> {
  const twice = values?.find(({ field }, i) => values.findIndex((other) => other.field === field) !== i);
  if (twice) throw invalid('field_values', `The field ${twice.field} is answered twice. Send one answer.`);
  if (values === undefined && !isSignUp) return;
  for (const writer of fieldValueWriters.items) await writer.write(work, customer, values ?? [], isSignUp);
}
