/**
 * One part of the business, declared: its resources and endpoints, its background work, and its links to other areas.
 */
import type { CellName, CellLocator, NameInAddress } from './cell-declarations.ts';
import type { Does } from '../work/unit/background.ts';
import type { Consequence } from '../work/unit/consequence.ts';
import type { Endpoint } from './acting.ts';
import type { FeedKinds } from '../work/feed/feed-item.ts';
import type { Filling, Port } from '../base/fields/port.ts';
import type { Filter, SortKey } from './filter.ts';
import type { NoticeType, StaffNoticeType } from '../work/unit/notices.ts';
import type { PermissionKind } from '../work/access/permission.ts';
import type { Problem, ProblemKind } from '../base/problem.ts';
import type { Properties, Resource, Rule } from './resource.ts';
import type { Shape } from '../base/fields/field.ts';
import type { Tables } from '../base/db/table.ts';
import type { Transaction } from '../base/db/database.ts';
import type { Translations } from '../base/languages/translations.ts';
import type { WholeList } from './whole-list.ts';
import type { AddressChange, Claim, Notifier, Work } from '../work/unit/work.ts';

/** Operations and resources that the reference shows under one heading, and the OpenAPI document under one tag. */
export interface Topic {
  readonly name: string;
  readonly description: string;
  readonly resources?: readonly Resource<any>[];
  readonly endpoints?: readonly Endpoint[];
}

/** The keys are names of resources or operations (`POST /events/{id}/register`) of earlier areas. */
type For<T> = Readonly<Record<string, T>>;

/** The parts that an area owns. */
interface Has extends Topic {
  /** further topics of its own, if one topic would be too long to read */
  readonly topics?: readonly Topic[];
  /**
   * Tables and views that it owns, and how each is handled when a business moves or a person is erased. Only this area
   * writes and locks them, and no earlier area reads them.
   */
  readonly tables?: Tables;
  readonly feed?: readonly FeedKinds[];
  /** kinds of refusals that it introduces, by code */
  readonly problems?: Readonly<Record<string, ProblemKind>>;
  /** refusals for violations of named database constraints */
  readonly constraints?: Readonly<Record<string, () => Problem>>;
  /** translations of its refusals and explanations for customers, by the English text in its code */
  readonly translations?: Translations;
  /** kinds of notices to customers that it introduces */
  readonly notices?: readonly NoticeType[];
  /** kinds of notices to staff */
  readonly staffNotices?: readonly StaffNoticeType[];
  /** permissions for staff of all areas; one area defines them all */
  readonly permissions?: readonly PermissionKind[];
  /** sends the notices of all areas; one area defines it */
  readonly notifier?: Notifier;
}

/** Additions to earlier areas, which don't know of them. */
interface Adds {
  /** further properties of resources */
  readonly properties?: For<Properties>;
  /** further properties of the body of a write, or of the query of a read */
  readonly inputs?: For<Shape>;
  /** further filters for lists, by the path of the list */
  readonly filters?: For<Readonly<Record<string, Filter>>>;
  /** further sort keys for lists, by the path of the list */
  readonly sorts?: For<Readonly<Record<string, SortKey>>>;
  /** further refusals of operations */
  readonly refuses?: For<readonly ProblemKind[]>;
  /**
   * customers who are shown a property that is otherwise hidden from them: by resource and property, over the alias of
   * the row
   */
  readonly reveals?: For<Readonly<Record<string, Rule & Function>>>;
  /** counts rows of this area that still refer to a row */
  readonly uses?: For<(work: Work, id: number) => Promise<number>>;
  /** updates rows of this area after a change of a row, in its transaction; may refuse the change */
  readonly follows?: For<(work: Work, id: number, values: Readonly<Record<string, unknown>>) => Promise<void>>;
  /**
   * makes a row about a person the row of their account; returns false if it already belongs to one. The account is
   * locked
   */
  readonly claims?: For<(tx: Transaction, of: Claim) => Promise<boolean>>;
  /** changes the address of rows about a person, at all businesses, after that of their account has changed */
  readonly changesAddress?: For<(tx: Transaction, of: AddressChange) => Promise<void>>;
  /** effects of its readers on feed items, for dry runs of calls that cause these items */
  readonly consequences?: readonly Consequence[];
  /** names by which requests identify their business, so that the cells of an installation find it */
  readonly names?: readonly CellName[];
  /** names that are too many for `names`, and are looked up on demand */
  readonly locators?: readonly CellLocator[];
  /** names of the business in URLs */
  readonly namesInPath?: readonly NameInAddress[];
  /**
   * Work in progress outside transactions, which must end before a business moves to another cell: a name for it, and a
   * SELECT that counts it for business `$1`. No new work starts in the meantime: see `mayBegin`
   */
  readonly underWay?: Readonly<Record<string, string>>;
  /** its items for ports */
  readonly fills?: readonly Filling[];
}

/** References to other areas, resolved after all areas have been gathered. */
interface Needs {
  /** lists of other areas whose filters it uses, no matter which area added them */
  readonly lists?: readonly WholeList[];
  /** ports that later areas fill */
  readonly ports?: readonly Port<any, any>[];
  /** views that it reads and a later area defines, for conditions that only that area knows */
  readonly needsViews?: readonly string[];
}

export interface Area extends Has, Does, Adds, Needs {}

/** Returns the area's own topic and its further ones, without those that show nothing. */
export const topicsOf = (area: Area): readonly Topic[] =>
  [area, ...(area.topics ?? [])].filter(
    ({ endpoints = [], resources = [] }) => endpoints.length + resources.length > 0,
  );

export const endpointsOf = (area: Area): readonly Endpoint[] =>
  topicsOf(area).flatMap(({ endpoints = [] }) => endpoints);

export const resourcesOf = (area: Area): readonly Resource[] =>
  topicsOf(area).flatMap(({ resources = [] }) => resources);
