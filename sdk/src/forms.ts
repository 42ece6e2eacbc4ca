/** The building blocks of the printed interface (`interface.ts`). */

/**
 * The selectable parts of an object: plain values, references to other objects, and properties that are returned only
 * if named.
 */
export interface Form {
  readonly fields: object;
  readonly relations: object;
  readonly deferred: string;
}

/**
 * A reference to another object. `Closed` is its value until it is expanded (never: it is always expanded); `Else` its
 * value if there is none to show.
 */
export interface One<F extends Form, Closed, Else = never> {
  readonly one: F;
  readonly closed: Closed;
  readonly else: Else;
}
/** References to several other objects. */
export interface Many<F extends Form, Closed> {
  readonly many: F;
  readonly closed: Closed;
}
/** A part of the object itself, which is always present. */
export interface Part<F extends Form, Else = never> {
  readonly part: F;
  readonly else: Else;
}

/** The return value of an operation. */
export interface Object<F extends Form> {
  readonly kind: 'object';
  readonly form: F;
}
export interface PageOf<F extends Form> {
  readonly kind: 'page';
  readonly form: F;
}
/** A return value without selectable properties. */
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
