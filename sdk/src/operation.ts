/** The arguments and results of a call, by the name of its operation. */
import type { ExpandPath, FieldPath, Selected } from './selected.ts';
import type { FeedPayloads, Operations } from './interface.ts';
import type { Form, Object, PageOf, Stream, Whole, WholePage } from './forms.ts';

export type OperationName = keyof Operations & string;

type FormOf<O extends OperationName> = Operations[O]['returns'] extends Object<infer F> | PageOf<infer F> ? F : never;
type Chosen<O extends OperationName> = FormOf<O> extends Form ? FormOf<O> : never;

/** `fields` of the operation; never if its response is always whole. */
export type FieldsOf<O extends OperationName> = FieldPath<Chosen<O>>;
export type ExpandOf<O extends OperationName> = ExpandPath<Chosen<O>>;

/** One page of a list. */
export interface Page<T> {
  /** on all pages */
  readonly count: number;
  /** address of the next page; null on the last page */
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

/** Something that happened, by its type. `id` counts 1, 2, 3 … in each business, without gaps. */
export type FeedItem = {
  [Type in keyof FeedPayloads]: {
    readonly object: 'feed_item';
    readonly id: number;
    readonly timestamp: string;
    readonly type: Type;
    readonly resources: Readonly<Record<string, number>>;
    readonly payload: FeedPayloads[Type];
  };
}[keyof FeedPayloads];

/** The result of a call of the operation. */
export type AnswerOf<O extends OperationName, P extends string = never, E extends string = never> =
  Operations[O]['returns'] extends Object<infer F>
    ? Selected<F, P, E>
    : Operations[O]['returns'] extends PageOf<infer F>
      ? Page<Selected<F, P, E>>
      : Operations[O]['returns'] extends Whole<infer T>
        ? T
        : Operations[O]['returns'] extends WholePage<infer T>
          ? Page<T>
          : Operations[O]['returns'] extends { readonly kind: 'file' }
            ? Response
            : undefined;

/** The items of `for await`: the entries of all pages of a list, or the events of a stream. */
export type ItemOf<O extends OperationName, P extends string = never, E extends string = never> =
  Operations[O]['returns'] extends PageOf<infer F>
    ? Selected<F, P, E>
    : Operations[O]['returns'] extends WholePage<infer T>
      ? T
      : Operations[O]['returns'] extends Stream
        ? FeedItem
        : never;

export type RefusalOf<O extends OperationName> = Operations[O]['refusals'];

/** True if all of its properties are optional. */
type Free<T> = {} extends T ? true : false;
type Named<Name extends string, T> =
  Free<T> extends true ? { readonly [K in Name]?: Readonly<T> } : { readonly [K in Name]: Readonly<T> };

/** The arguments of a call. */
export type AskedOf<O extends OperationName, P extends string, E extends string> = Named<
  'params',
  Operations[O]['params']
> &
  Named<'query', Operations[O]['query']> &
  (Operations[O]['body'] extends undefined ? {} : Named<'body', Operations[O]['body']>) &
  ([FieldsOf<O>] extends [never]
    ? {}
    : {
        /** only these properties; use dots for those of related objects */
        readonly fields?: readonly P[];
        /** related objects instead of their ids, and properties that are returned only if named */
        readonly expand?: readonly E[];
      }) &
  Options;

export interface Options {
  /** a repeated write with the same key takes effect once; every write gets its own key if you pass none */
  readonly idempotencyKey?: string;
  /** write only if the object still has this ETag, of an `answer()` */
  readonly ifMatch?: string;
  /** aborts the call */
  readonly signal?: AbortSignal;
}

/** True if the operation has no required arguments. */
export type NeedsNothing<O extends OperationName> = {} extends AskedOf<O, never, never> ? true : false;

/** An effect that a dry run previews. */
export interface Effect {
  /** a type of feed items, such as `customer.created`, or `message_sent` */
  readonly effect: string;
  readonly object: string;
  readonly id: number | null;
  readonly detail: Readonly<Record<string, unknown>>;
}
export type DryRun<T> = (T extends object ? Partial<T> : {}) & { readonly effects: readonly Effect[] };
