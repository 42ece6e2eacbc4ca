/** Tools for everything that has no tool of its own: they find, describe and call the operations of the interface. */
import { filters, find, flat } from './asking.ts';
import { isWrite, pathParameters, type Declared } from '../../../../kernel/api/contract.ts';
import { map, objectSchema, schemaOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { querySchema, selectableFields } from '../../../../kernel/api/requests/input.ts';
import { isSecretName } from '../kept-out.ts';
import { tool, type Tool } from '../tool.ts';
import type { Shape } from '../../../../kernel/base/fields/field.ts';

const MAX_FOUND = 12;
const OPERATION = 'Method and path, for example "GET /business_closures". search finds it.';
const UNKNOWN = 'There is no such operation for the caller. Use search to find one.';

export const inPath = () =>
  map().optional().describe('Values of the names in braces in the path, for example {"id": 12}.');

/** Returns a score for how well an operation matches; 0 if a word is missing. */
function scoreFor({ method, path, summary, description = '' }: Declared, words: readonly string[]): number {
  const [title, rest] = [`${summary} ${path}`.toLowerCase(), `${method} ${description}`.toLowerCase()];
  const scores = words.map((word): number => (title.includes(word) ? 10 : rest.includes(word) ? 2 : 0));
  return scores.includes(0) ? 0 : scores.reduce((sum, one) => sum + one, 0) + 5 / summary.length;
}

/** Cuts the ending off a word: "memberships" finds "membership". */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(ies|es|s)$/, '') : word);

const parametersFor = (shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape)
      .filter(([name]) => !['format', 'dry_run', 'expand', 'fields'].includes(name))
      .map(([name, field]) => [name, schemaOf(field)]),
  );

function describeOperation(one: Declared) {
  const { method, path, summary, description } = one;
  const selectable = selectableFields(one);
  const inPath = pathParameters(path);
  return {
    operation: `${method} ${path}`,
    summary,
    ...(description && { description }),
    ...(inPath.length > 0 && { path: inPath }),
    query: parametersFor(querySchema(one)),
    ...(isWrite(one) && one.body && Object.keys(one.body).length > 0 && { body: objectSchema(one.body as Shape) }),
    ...(selectable && { fields: Object.keys(selectable.fields).filter((name) => !isSecretName(name)) }),
    use: isWrite(one) && one.acts === 'write' && !one.changesNothing ? 'propose' : 'read',
  };
}

/** True if the operation changes nothing, whatever its method. */
export const onlyReads = (one: Declared): boolean =>
  !isWrite(one) || one.acts === 'calculate' || (one.acts === 'write' && one.changesNothing === true);

export const interfaceTools: readonly Tool[] = [
  tool({
    name: 'search',
    title: 'Search what can be done',
    description:
      'Finds operations by English words of what they do, for jobs without a tool of their own, such as "close days" or "gift membership". Then use describe.',
    calls: [],
    input: { words: text({ max: 200 }).describe('A few words, for example "closure reopen".') },
    run: async (session, { words }) => {
      const wanted = [
        ...new Set(
          words
            .toLowerCase()
            .split(/[^a-z0-9]+/)
            .filter(Boolean),
        ),
      ]
        .slice(0, 8)
        .map(stem);
      const found = session.registry.endpoints
        .filter((one) => session.offers(one) && (onlyReads(one) || session.writes) && one.method !== 'PUT')
        .map((one) => ({ one, score: wanted.length === 0 ? 0 : scoreFor(one, wanted) }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, MAX_FOUND);
      return {
        says:
          found.length === 0
            ? ['Nothing has all of these words. Try fewer, or others.']
            : found.map(({ one }) => `${one.method} ${one.path}: ${one.summary}`),
      };
    },
  }),
  tool({
    name: 'describe',
    title: 'Describe an operation',
    description: 'What an operation does, what it takes, and what it returns. Use it before read and propose.',
    calls: [],
    input: { operation: text({ max: 200 }).describe(OPERATION) },
    run: async (session, { operation }) => {
      const one = find(session, operation);
      return one ? { says: [JSON.stringify(describeOperation(one))] } : { says: [UNKNOWN], isRefusal: true };
    },
  }),
  tool({
    name: 'read',
    title: 'Read with an operation',
    description: 'Calls an operation that only reads. Choose fields and a small page_size to keep the answer short.',
    calls: [],
    input: {
      operation: text({ max: 200 }).describe(OPERATION),
      path: inPath(),
      query: filters(),
      body: map().optional(),
    },
    run: async (session, { operation, path = {}, query = {}, body }) => {
      const one = find(session, operation);
      if (!one) return { says: [UNKNOWN], isRefusal: true };
      if (!onlyReads(one)) return { says: ['This operation changes something. Use propose.'], isRefusal: true };
      const data = await session.call(`${one.method} ${one.path}`, {
        params: flat(path),
        query: flat(query),
        ...(body && { body }),
      });
      return { data };
    },
  }),
];
