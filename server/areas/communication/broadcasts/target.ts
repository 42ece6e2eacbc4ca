/**
 * The target of a broadcast: filters of a list in the API, by the same declarations that filter that list. The meaning
 * of a filter, its values and its error messages are declared only there.
 */
import { Field, readShape, type JsonSchema, type Reading, type Shape } from '../../../kernel/base/fields/field.ts';
import { Issues, Problem } from '../../../kernel/base/problem.ts';
import { objectSchema } from '../../../kernel/base/fields/kinds.ts';
import { raw, type Sql } from '../../../kernel/base/db/sql.ts';
import { reachedFilters } from './reached.ts';
import { resolved, rowsOf } from '../../../kernel/api/reading/narrow.ts';
import { WholeList } from '../../../kernel/api/whole-list.ts';
import type { Filter } from '../../../kernel/api/endpoint.ts';
import type { Input, Viewer } from '../../../kernel/work/access/viewer.ts';
import type { Send } from '../../../kernel/base/db/sharing/batch.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Target {
  readonly query_type: QueryType;
  /** values, as sent in JSON */
  readonly query: Readonly<Record<string, unknown>>;
}

type QueryType = 'customer' | 'attendance';

interface Source {
  readonly of: WholeList;
  /** selects the customer that a row refers to */
  readonly customer: Sql;
}

const SOURCES: Record<QueryType, Source> = {
  customer: { of: new WholeList('/customers'), customer: raw('t.id') },
  attendance: { of: new WholeList('/attendances'), customer: raw('t.customer_id') },
};

/** The lists, for the declaration of the area. */
export const LISTS = Object.values(SOURCES).map((source) => source.of);

const shapeOf = (type: QueryType): Shape =>
  Object.fromEntries(
    Object.entries(SOURCES[type].of.list.filters).map(([name, { field }]: [string, Filter]) => [name, field]),
  );

/** The meaning of a filter is described at its list. */
function narrowing(type: QueryType): JsonSchema {
  const { properties, ...rest } = objectSchema(shapeOf(type));
  const brief = Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => {
    const { description: _described, ...schema } = property;
    return [name, schema];
  });
  return { ...rest, properties: Object.fromEntries(brief) };
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);
const isType = (v: unknown): v is QueryType => typeof v === 'string' && Object.hasOwn(SOURCES, v);

/**
 * Returns the value to store: an instant as it was written, because it can't be shown unchanged otherwise, and
 * everything else as it was read.
 */
const kept = (field: Field<any>, written: unknown, value: unknown): unknown =>
  field.spec.schema.format === 'date-time' ? written : value;

function readTarget(input: unknown, path: string, reading: Reading): Target | undefined {
  const { issues } = reading;
  if (!isObject(input))
    return issues.add(path, 'Must be an object, for example {"query_type": "customer", "query": {}}.');
  const { query_type: type, query, ...rest } = input;
  for (const name of Object.keys(rest)) issues.add(`${path}.${name}`, 'Unknown property. Send query_type and query.');
  if (!isType(type)) return issues.add(`${path}.query_type`, `Must be one of: ${Object.keys(SOURCES).join(', ')}.`);
  const shape = shapeOf(type);
  const read = readShape(shape, query, `${path}.query`, { ...reading, text: true });
  if (read === undefined) return undefined;
  const sent = Object.entries(query as Record<string, unknown>).filter(([name]) => Object.hasOwn(shape, name));
  return {
    query_type: type,
    query: Object.fromEntries(sent.map(([name, value]) => [name, kept(shape[name], value, read[name])])),
  };
}

export const targetRecipients = (): Field<Target> =>
  new Field<Target>({
    schema: {
      type: 'object',
      required: ['query_type', 'query'],
      properties: {
        query_type: { type: 'string', enum: Object.keys(SOURCES) },
        query: {
          type: 'object',
          additionalProperties: true,
          // Evaluated when the API is described: every area has added its filters at that point.
          get anyOf() {
            return (Object.keys(SOURCES) as QueryType[]).map((type) => ({
              title: type,
              ...narrowing(type),
              additionalProperties: true,
            }));
          },
        },
      },
      additionalProperties: false,
    },
    read: readTarget,
    print: (t) => JSON.parse(t),
  }).describe(
    "`query` takes the filters of `GET /customers`, or, if `query_type` is `attendance`, those of `GET /attendances`. The latter reaches everyone with such an attendance, including people on the waitlist unless `status` says otherwise. A child's messages go to the managers of the family.",
  );

/** The rows for FROM, their customer column, and the input of their params. */
export interface Found {
  readonly from: Sql;
  readonly customer: Sql;
  readonly input: Input;
}

/** The viewer and the moment for which the filters are evaluated. */
export interface Looking {
  readonly viewer: Viewer;
  readonly now: number;
  /** of the business */
  readonly zone: string;
  readonly send: Send;
}

export const lookupContext = (work: Work): Looking => ({
  viewer: work.viewer,
  now: work.now,
  zone: work.tenant.zone,
  send: (commands) => work.tx.send(commands),
});

/** Finds the target. @throws Problem if the filters can no longer be read */
export async function find({ viewer, now, zone, send }: Looking, target: Target): Promise<Found> {
  const { of, customer } = SOURCES[target.query_type];
  const { list } = of;
  const issues = new Issues();
  const query = readShape(shapeOf(target.query_type), target.query, 'target_recipients.query', {
    issues,
    text: true,
    zone,
  });
  issues.throwIfAny();
  const filters = { ...list.filters, ...reachedFilters };
  const input = await resolved(filters, { viewer, now, query: query! }, send).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    for (const [name, [why]] of Object.entries(error.fields)) issues.add(`target_recipients.query.${name}`, why);
    issues.throwIfAny();
    throw error;
  });
  return { from: rowsOf({ ...list, filters }, input), customer, input };
}
