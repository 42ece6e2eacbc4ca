/** A kind of feed item: something that happened, declared by the area in which it happens. */
import { Deferred } from '../../base/fields/deferred.ts';
import { listOf, text } from '../../base/fields/kinds.ts';
import { oneOfLater } from '../../base/fields/port.ts';
import type { Field, Shape, ValueOf } from '../../base/fields/field.ts';
import type { Permission } from '../access/permission.ts';

interface OnlyStaffWith {
  /** any of these permissions; absent: all staff */
  readonly provider?: readonly Permission[];
}

export interface FeedItemKind<P extends Shape = Shape> {
  readonly kind: string;
  /** name of the resource that it concerns */
  readonly object: string;
  readonly description: string;
  readonly payload: P;
  /** properties of the payload that are null for staff without these permissions */
  readonly shown?: { readonly [Name in keyof P]?: OnlyStaffWith };
}

/** The feed items about one object, by what happened: `created` is the item `<object>.created`. */
export type FeedKinds = Readonly<Record<string, FeedItemKind<any>>>;

type ShownTo = Readonly<Record<string, OnlyStaffWith>>;

interface Happening {
  readonly description: string;
  /** what its payload has besides what all of them have */
  readonly payload?: Shape;
  readonly shown?: ShownTo;
}

const CHANGED = { changed: listOf(text()) };

type More<K, What> = K extends { payload: infer P extends Shape }
  ? P
  : [K, What] extends [string, 'updated']
    ? typeof CHANGED
    : {};

/**
 * Declares what can happen to an object: each key is the second half of a kind. A description alone declares an item
 * with the common payload, and for `updated` also `changed`, the names of the changed properties. `object`: the
 * resource, if kinds call it something else. `shown`: properties of all payloads that some staff can't see.
 */
export function feedKinds<P extends Shape, const K extends Readonly<Record<string, string | Happening>>>(
  name: string,
  common: P,
  happenings: K,
  { object = name, shown }: { readonly object?: string; readonly shown?: ShownTo } = {},
): { readonly [What in keyof K]: FeedItemKind<P & More<K[What], What>> } {
  const kinds = Object.entries(happenings).map(([what, happening]) => {
    const plain = (description: string): Happening => ({
      description,
      ...(what === 'updated' && { payload: CHANGED }),
    });
    const own = typeof happening === 'string' ? plain(happening) : happening;
    const payload: Shape = { ...common, ...own.payload };
    const hidden = { ...shown, ...own.shown };
    const unknown = Object.keys(hidden).find((property) => !(property in payload));
    if (unknown !== undefined) throw new Error(`${name}.${what} hides the unknown property "${unknown}"`);
    return [what, { kind: `${name}.${what}`, object, description: own.description, payload, shown: hidden }];
  });
  return Object.fromEntries(kinds);
}

export type PayloadOf<K> = K extends FeedItemKind<infer P> ? ValueOf<P> : never;

/** A property of a payload that is the id, or a list of ids, of a resource. */
interface IdIn {
  readonly property: string;
  readonly object: string;
}

/**
 * The kinds of all areas that a registry gathered, with the ids in their payloads. An area names kinds without knowing
 * later areas.
 */
interface Known {
  readonly ids: readonly IdIn[];
  readonly hidden: readonly (readonly [property: string, permissions: readonly Permission[]])[];
}

const declared = new Deferred<ReadonlyMap<string, Known>>('which feed items there are');

/**
 * Sets the kinds. For the registry, which has checked that no two areas declare the same kind. A property is an id by
 * its declaration, or by its name. Kinds of an earlier registry stay known: a kind means the same in each.
 */
export function registerFeedKinds(kinds: Iterable<FeedItemKind>, isResource: (name: string) => boolean): void {
  const known = new Map(declared.soFar);
  for (const { kind, payload, shown = {} } of kinds) {
    const ids = Object.entries(payload as Shape).flatMap(([property, { spec }]): IdIn[] => {
      const object =
        spec.relation?.target ?? (spec.schema.type === 'integer' && isResource(property) ? property : undefined);
      return object === undefined ? [] : [{ property, object }];
    });
    const hidden = Object.entries(shown as Record<string, OnlyStaffWith>).flatMap(([property, { provider }]) =>
      provider ? [[property, provider] as const] : [],
    );
    known.set(kind, { ids, hidden });
  }
  declared.say(known);
}

/** Returns nothing for a kind that no area declares any more. */
export const idsIn = (kind: string): readonly IdIn[] => declared.soFar?.get(kind)?.ids ?? [];

/** Returns the payload as a reader sees it; `may` says whether they have any of the permissions. */
export function payloadShown(
  kind: string,
  payload: Record<string, unknown>,
  may: (permissions: readonly Permission[]) => boolean,
): Record<string, unknown> {
  const hidden = (declared.soFar?.get(kind)?.hidden ?? []).filter(
    ([property, permissions]) => property in payload && !may(permissions),
  );
  return hidden.length === 0
    ? payload
    : { ...payload, ...Object.fromEntries(hidden.map(([property]) => [property, null])) };
}

type Which = (kind: string) => boolean;

const inOrder = (which: Which): string[] => [...(declared.soFar?.keys() ?? [])].filter(which).toSorted();

/** Returns a field for a kind of feed item of any area, for example `event.cancelled`. `which`: only such kinds. */
export const feedItemType = (which: Which = () => true): Field<string> => oneOfLater(() => inOrder(which));
