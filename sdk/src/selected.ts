/** The type of an object after `fields` and `expand` are applied, by the same rules as in the service. */
import type { Form, Many, One, Part } from './forms.ts';

type Flat<T> = { [K in keyof T]: T[K] };
type Head<P extends string> = P extends `${infer H}.${string}` ? H : P;
type Below<P extends string, K extends string> = P extends `${K}.${infer Rest}` ? Rest : never;
type Is<T> = [T] extends [never] ? false : true;

type Names<F extends Form> = F extends Form ? Extract<keyof F['fields'] | keyof F['relations'], string> : never;
type Ways<F extends Form> = F extends Form ? Extract<keyof F['relations'], string> : never;

/** The paths that `fields` may name: a property, or with dots a property of a related object. */
export type FieldPath<F extends Form> = Names<F> | `${Ways<F>}.${string}`;
/** The paths that `expand` may name: related objects, and properties that are returned only if named. */
export type ExpandPath<F extends Form> = Ways<F> | (F extends Form ? F['deferred'] : never) | `${Ways<F>}.${string}`;

type Shown<F extends Form, P extends string, E extends string> =
  Is<P> extends true ? Head<P> : Exclude<Names<F>, F['deferred']> | Head<E>;

/** True if a path below it is named, or it is expanded itself. */
type Opens<K extends string, P extends string, E extends string> =
  Is<Below<P, K>> extends true ? true : K extends Head<E> ? true : false;

type Related<R, K extends string, P extends string, E extends string> =
  R extends Part<infer F, infer Else>
    ? Selected<F, Below<P, K>, Below<E, K>> | Else
    : R extends One<infer F, infer Closed, infer Else>
      ? Is<Closed> extends false
        ? Selected<F, Below<P, K>, Below<E, K>> | Else
        : Opens<K, P, E> extends true
          ? Selected<F, Below<P, K>, Below<E, K>> | Else
          : Closed
      : R extends Many<infer F, infer Closed>
        ? Is<Closed> extends false
          ? Selected<F, Below<P, K>, Below<E, K>>[]
          : Opens<K, P, E> extends true
            ? Selected<F, Below<P, K>, Below<E, K>>[]
            : Closed
        : never;

/** `P`: the paths of `fields`; never: everything that is not deferred. `E`: the paths of `expand`. */
export type Selected<F extends Form, P extends string = never, E extends string = never> = F extends Form
  ? Flat<
      { [K in keyof F['fields'] as K extends Shown<F, P, E> ? K : never]: F['fields'][K] } & {
        [K in keyof F['relations'] as K extends Shown<F, P, E> ? K : never]: K extends string
          ? Related<F['relations'][K], K, P, E>
          : never;
      }
    >
  : never;
