/** Declarations that most resources share: how an object is created, updated, deleted and ordered. */
import {
  action,
  answer,
  create,
  remove,
  update,
  type Call,
  type ReadCall,
  type WriteEndpoint,
  type Who,
  type Writes,
} from './endpoint.ts';
import { id, listOf, oneOf, text } from '../base/fields/kinds.ts';
import { putInOrder } from '../work/unit/order.ts';
import type { Refusable } from '../base/problem.ts';
import type { Resource } from './resource.ts';
import type { Shape, ValueOf } from '../base/fields/field.ts';
import type { Answer } from './acting.ts';
import type { Work } from '../work/unit/work.ts';

/** A change of a resource: its function, or with it whatever differs from the usual declaration. */
type Change<W extends { readonly run: unknown }, Run = W['run']> =
  | Run
  | (Partial<Omit<W, 'path' | 'query' | 'body' | 'run'>> & { readonly run: Run });

interface Changes<B extends Shape, N extends Shape> {
  /** path of the collection: `/customer_labels` */
  readonly path: string;
  /** noun for one object in a sentence: `customer label` */
  readonly noun: string;
  readonly who: Who;
  /** body of PUT; PATCH takes any part of it, and POST takes it too unless `first` is set */
  readonly body: B;
  /** body of POST */
  readonly first?: N;
  readonly problems?: readonly Refusable[];
  /** creates an object and returns its id */
  readonly create: Change<Writes<{}, N>, (call: Call<{}, ValueOf<N>>) => Promise<number>>;
  readonly update: Change<Writes<{}, B, Partial<ValueOf<B>>>>;
  readonly remove?: Change<Writes<{}, {}>, (call: ReadCall) => Promise<unknown>>;
}

/** Returns the noun with its article: `a venue`, `an offering type`. */
const one = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Declares POST, PUT and PATCH of a resource, and DELETE if it can be deleted. */
export function changes<B extends Shape, N extends Shape = B>(
  resource: Resource,
  { path, noun, who, body, first, problems = [], ...of }: Changes<B, N>,
): WriteEndpoint[] {
  const declared = <W extends { readonly run: unknown }, Run extends W['run']>(
    verb: string,
    change: Change<W, Run>,
  ) => {
    const { run, ...own } = typeof change === 'function' ? { run: change } : (change as { run: Run });
    return { summary: `${verb} ${one(noun)}`, problems, who, ...own, run };
  };
  const [made, changed] = [declared('Create', of.create), declared('Update', of.update)];
  return [
    create(resource, { ...made, path, body: first ?? (body as Shape as N) }),
    ...update(resource, {
      ...changed,
      path: `${path}/{id}`,
      body,
      run: async (call) => {
        await changed.run(call);
        return call.target.id;
      },
    }),
    ...(of.remove ? [remove(resource, { ...declared('Delete', of.remove), path: `${path}/{id}` })] : []),
  ];
}

/** Response of an operation that changes many objects and returns none. */
export const done = { status: oneOf(['OK']), detail: text().nullable() };
export const DONE = { status: 'OK', detail: null };

interface Ordering {
  readonly summary?: string;
  readonly description?: string;
  readonly problems?: readonly Refusable[];
  /** path of the collection: `/memberships` */
  readonly path: string;
  /** plural noun in a sentence: `memberships` */
  readonly nouns: string;
  readonly who: Who;
  /** records that the position of an object changed */
  readonly moved: (work: Work, id: number) => void;
  /** property in which the ids are sent, and the minimum number */
  readonly sent?: { readonly as: string; readonly min: number };
  /** the response, from all ids in their new order */
  readonly shows?: { readonly returns: Answer; readonly of: (order: readonly number[]) => unknown };
}

/** Declares a PATCH of the order of all rows of a resource: see `putInOrder`. */
export function ordering(
  resource: Resource,
  {
    path,
    nouns,
    who,
    moved,
    sent = { as: 'ordering', min: 2 },
    shows = { returns: answer(done), of: () => DONE },
    ...said
  }: Ordering,
): WriteEndpoint {
  return action({
    method: 'PATCH',
    path: `${path}/ordering`,
    summary: `Reorder ${nouns}`,
    description: 'The ones that you name come first, in that order. The others follow in their current order.',
    ...said,
    who,
    body: { [sent.as]: listOf(id(), { min: sent.min }) },
    returns: shows.returns,
    run: async ({ work, body }) => {
      const result = await putInOrder(work, resource.table, body[sent.as], sent.as);
      for (const one of result.moved) moved(work, one);
      return shows.of(result.order);
    },
  });
}
