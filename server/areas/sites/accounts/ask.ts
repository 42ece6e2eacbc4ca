/**
 * Asking the interface with types: what `fields` and `expand` choose is what a page can read, as it is declared. The types are
 * those of the client in `sdk/`; nothing of the client runs here.
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
import type { FileToSend } from '../../../kernel/api/file.ts';
import type { Operations } from '../../../../sdk/src/interface.ts';

export type { Effect };

type Given = Readonly<Record<string, string | number | boolean>>;

/** `'id,name'` as `'id' | 'name'`. */
type Names<T> = T extends `${infer First},${infer Rest}` ? First | Names<Rest> : T extends string ? T : never;

type Chosen<Q, K extends string> = Q extends { readonly [N in K]: infer T } ? Names<T> : never;

/** What the operation does not have is refused here, and a text that is put together when the program runs. */
type Known<Q, K extends string, Allowed> = [Chosen<Q, K>] extends [Allowed] ? unknown : { readonly [N in K]: Allowed };

export interface Asked<O extends OperationName, Q> {
  /** by the names between the braces of the path */
  readonly params?: { readonly [Name in keyof Operations[O]['params']]: string | number };
  readonly query?: Q & Known<Q, 'fields', FieldsOf<O>> & Known<Q, 'expand', ExpandOf<O>>;
  /** as JSON has it */
  readonly body?: Readonly<Record<string, unknown>>;
  /** whoever asks undoes what it writes, so nothing is kept beside it: no audit, no feed item, no job */
  readonly trial?: boolean;
}

type AnswerTo<O extends OperationName, Q> = Operations[O]['returns'] extends { readonly kind: 'file' }
  ? FileToSend
  : Q extends { readonly dry_run: true }
    ? DryRun<AnswerOf<O, Chosen<Q, 'fields'>, Chosen<Q, 'expand'>>>
    : AnswerOf<O, Chosen<Q, 'fields'>, Chosen<Q, 'expand'>>;

/** An entry of a list, or an object, with what `fields` and `expand` choose of it. */
export type Entry<O extends OperationName, Fields extends string, Expand extends string = never> = [ItemOf<O>] extends [
  never,
]
  ? AnswerOf<O, Names<Fields>, Names<Expand>>
  : ItemOf<O, Names<Fields>, Names<Expand>>;

/** The same where nothing is chosen. */
export type EntryWhole<O extends OperationName> = [ItemOf<O>] extends [never] ? AnswerOf<O> : ItemOf<O>;

/** What the interface hides from some staff alone, so that a customer is always shown it. */
export function shownTo<T>(value: T | null): T {
  if (value === null) throw new Error('a customer was not shown what is theirs');
  return value;
}

/** Calls an operation by its name, for example `POST /events/{id}/register`. Returns what would be printed. */
export type Ask = <O extends OperationName, const Q extends Given = {}>(
  operation: O,
  asked: Asked<O, Q>,
) => Promise<AnswerTo<O, Q>>;
