/**
 * Typed calls to the interface: `fields` and `expand` determine which properties a page can read, by the declarations.
 * The types are those of the client in `sdk/`; no code of the client runs here.
 */
import type {
  AnswerOf,
  DryRun,
  Effect,
  ExpandOf,
  FieldsOf,
  ItemOf,
  OperationName,
} from '../../../../sdk/src/operation.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { FileToSend } from '../../../kernel/api/file.ts';
import type { Operations } from '../../../../sdk/src/interface.ts';

export type { Effect };

type Given = Readonly<Record<string, string | number | boolean>>;

/** The names in `'id,name'` as the union `'id' | 'name'`. */
type Names<T> = T extends `${infer First},${infer Rest}` ? First | Names<Rest> : T extends string ? T : never;

type Chosen<Q, K extends string> = Q extends { readonly [N in K]: infer T } ? Names<T> : never;

/** Rejects at compile time a name that the operation does not have, and a text that is only composed at run time. */
type Known<Q, K extends string, Allowed> = [Chosen<Q, K>] extends [Allowed] ? unknown : { readonly [N in K]: Allowed };

export interface Asked<O extends OperationName, Q> {
  /** by the names in braces in the path */
  readonly params?: { readonly [Name in keyof Operations[O]['params']]: string | number };
  readonly query?: Q & Known<Q, 'fields', FieldsOf<O>> & Known<Q, 'expand', ExpandOf<O>>;
  /** in the form that JSON has */
  readonly body?: Readonly<Record<string, unknown>>;
  /** the caller rolls back the writes, so there is no audit entry, feed item or job */
  readonly trial?: boolean;
}

type AnswerTo<O extends OperationName, Q> = Operations[O]['returns'] extends { readonly kind: 'file' }
  ? FileToSend
  : Q extends { readonly dry_run: true }
    ? DryRun<AnswerOf<O, Chosen<Q, 'fields'>, Chosen<Q, 'expand'>>>
    : AnswerOf<O, Chosen<Q, 'fields'>, Chosen<Q, 'expand'>>;

/** An entry of a list, or an object, with the properties that `fields` and `expand` choose. */
export type Entry<O extends OperationName, Fields extends string, Expand extends string = never> = [ItemOf<O>] extends [
  never,
]
  ? AnswerOf<O, Names<Fields>, Names<Expand>>
  : ItemOf<O, Names<Fields>, Names<Expand>>;

/** An entry of a list, or an object, with all of its properties. */
export type EntryWhole<O extends OperationName> = [ItemOf<O>] extends [never] ? AnswerOf<O> : ItemOf<O>;

/** Narrows a property that the interface hides only from some staff: customers always see it. */
export function shownTo<T>(value: T | null): T {
  if (value === null) throw new Error('a customer was not shown what is theirs');
  return value;
}

/** Calls an operation by its name, for example `POST /events/{id}/register`. Returns the body of the response. */
export type Ask = <O extends OperationName, const Q extends Given = {}>(
  operation: O,
  asked: Asked<O, Q>,
) => Promise<AnswerTo<O, Q>>;

/** Returns null for an object that the person doesn't see; rethrows other errors. */
export function unlessMissing(error: unknown): null {
  if (error instanceof Problem && error.status === 404) return null;
  throw error;
}
