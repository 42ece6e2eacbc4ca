/** What the printed interface (`interface.ts`) is written in. */

/** What can be chosen of an object: plain values, what leads to other objects, and what is there only if it is named. */
export interface Form {
  readonly fields: object;
  readonly relations: object;
  readonly deferred: string;
}

/** Another object. `Closed` stands there until it is opened (never: it always is); `Else` where there is none to show. */
export interface One<F extends Form, Closed, Else = never> {
  readonly one: F;
  readonly closed: Closed;
  readonly else: Else;
}
/** Several other objects. */
export interface Many<F extends Form, Closed> {
  readonly many: F;
  readonly closed: Closed;
}
/** A part of the object itself, which is always there. */
export interface Part<F extends Form, Else = never> {
  readonly part: F;
  readonly else: Else;
}

/** What an operation returns. */
export interface Object<F extends Form> {
  readonly kind: 'object';
  readonly form: F;
}
export interface PageOf<F extends Form> {
  readonly kind: 'page';
  readonly form: F;
}
/** Nothing of it can be chosen. */
export interface Whole<T> {
  readonly kind: 'whole';
  readonly value: T;
}
export interface WholePage<T> {
  readonly kind: 'whole-page';
  readonly value: T;
}
export interface Stream {
  readonly kind: 'stream';
}
export interface File {
  readonly kind: 'file';
}
export interface Nothing {
  readonly kind: 'nothing';
}
