/**
 * Whom a broadcast is for: the filters of a list of the interface, by the very declarations that narrow that list. What
 * a filter means, which values it takes and what is said against wrong ones is written there and nowhere else.
 */
import { Field, readShape, type JsonSchema, type Reading, type Shape } from '../../../kernel/base/fields/field.ts';
import { Issues } from '../../../kernel/base/problem.ts';
import { objectSchema } from '../../../kernel/base/fields/kinds.ts';
import { raw, type Sql } from '../../../kernel/base/db/sql.ts';
import { reachedFilters } from './reached.ts';
import { resolved, rowsOf } from '../../../kernel/api/narrow.ts';
import { WholeList } from '../../../kernel/api/whole-list.ts';
import type { Filter } from '../../../kernel/api/endpoint.ts';
import type { Input, Viewer } from '../../../kernel/work/access/viewer.ts';
import type { Send } from '../../../kernel/base/db/batch.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Target {
  readonly query_type: QueryType;
  /** values as they are sent in JSON */
  readonly query: Readonly<Record<string, unknown>>;
}

type QueryType = 'customer' | 'attendance';

interface Source {
  readonly of: WholeList;
  /** of a row, which customer it is about */
  readonly customer: Sql;
}

const SOURCES: Record<QueryType, Source> = {
  customer: { of: new WholeList('/customers'), customer: raw('t.id') },
  attendance: { of: new WholeList('/attendances'), customer: raw('t.customer_id') },
};

/** For the declaration of the area. */
export const LISTS = Object.values(SOURCES).map((source) => source.of);

const shapeOf = (type: QueryType): Shape =>
  Object.fromEntries(
    Object.entries(SOURCES[type].of.list.filters).map(([name, { field }]: [string, Filter]) => [name, field]),
  );

/** What a filter means is described at its list. */
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

/** An instant is kept as it was written, for only so it can be shown again; everything else as it was read. */
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
          // Asked when the interface is described: by then every area has added its filters.
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

/** The rows behind FROM, the column of the customer in them, and what their params are read from. */
export interface Found {
  readonly from: Sql;
  readonly customer: Sql;
  readonly input: Input;
}

/** Through whose eyes and when the filters are looked at. */
export interface Looking {
  readonly viewer: Viewer;
  readonly now: number;
  /** of the business */
  readonly zone: string;
  readonly send: Send;
}

export const lookingOf = (work: Work): Looking => ({
  viewer: work.viewer,
  now: work.now,
  zone: work.tenant.zone,
  send: (commands) => work.tx.send(commands),
});

/** @throws Problem when the filters cannot be read any more */
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
  const input = await resolved(filters, { viewer, now, query: query! }, send);
  return { from: rowsOf({ ...list, filters }, input), customer, input };
}
