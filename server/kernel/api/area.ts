/** One part of the business, declared: what it has, what it does by itself, and what it has to do with other areas. */
import type { CellName, CellQuestion, CellLocator, NameInAddress } from './cell-declarations.ts';
import type { Claim, Does } from '../work/unit/declarations.ts';
import type { Consequence } from '../work/unit/consequence.ts';
import type { Endpoint } from './acting.ts';
import type { FeedItemKind } from '../work/feed/feed-item.ts';
import type { Filling, Port } from '../base/fields/port.ts';
import type { Filter, SortKey } from './filter.ts';
import type { NoticeType, Notifier, StaffNoticeType } from '../work/unit/notices.ts';
import type { PermissionKind } from '../work/access/permission.ts';
import type { Problem, ProblemKind } from '../base/problem.ts';
import type { Properties, Resource, Rule } from './resource.ts';
import type { Shape } from '../base/fields/field.ts';
import type { Tables } from '../base/db/table.ts';
import type { Transaction } from '../base/db/database.ts';
import type { Translations } from '../base/languages/translations.ts';
import type { WholeList } from './whole-list.ts';
import type { Work } from '../work/unit/work.ts';

/** What the reference shows under one heading, and the OpenAPI document under one tag. */
export interface Topic {
  readonly name: string;
  readonly description: string;
  readonly resources?: readonly Resource<any>[];
  readonly endpoints?: readonly Endpoint[];
}

/** The keys are names of resources, or operations (`POST /events/{id}/register`), of areas before this one. */
type For<T> = Readonly<Record<string, T>>;

/** What an area has. */
interface Has extends Topic {
  /** further topics of its own, where its interface would be too long to read at once */
  readonly topics?: readonly Topic[];
  /**
   * The tables and views that it owns, and what becomes of each when a business moves or a person is erased. Only this area
   * writes and locks them, and no earlier one reads them.
   */
  readonly tables?: Tables;
  readonly feed?: readonly FeedItemKind<any>[];
  /** the kinds of refusals that it introduces, by their codes */
  readonly problems?: Readonly<Record<string, ProblemKind>>;
  /** what to say when a named constraint of the database refuses */
  readonly constraints?: Readonly<Record<string, () => Problem>>;
  /** what customers read of its refusals and explanations, in other languages: by the English that is in its code */
  readonly translations?: Translations;
  /** the kinds of notices to customers that it introduces */
  readonly notices?: readonly NoticeType[];
  /** the kinds of notices to the people who run a business */
  readonly staffNotices?: readonly StaffNoticeType[];
  /** the permissions that staff of all areas may have; one area has them all */
  readonly permissions?: readonly PermissionKind[];
  /** sends the notices of all areas; one area has it */
  readonly notifier?: Notifier;
}

/** What it adds to areas before it, which know nothing of it. */
interface Adds {
  /** further properties of resources */
  readonly properties?: For<Properties>;
  /** further properties of the body of a write, or of the query of a read */
  readonly inputs?: For<Shape>;
  /** further filters for lists, by the path of the list */
  readonly filters?: For<Readonly<Record<string, Filter>>>;
  /** further keys to sort lists by, by the path of the list */
  readonly sorts?: For<Readonly<Record<string, SortKey>>>;
  /** further refusals of operations */
  readonly refuses?: For<readonly ProblemKind[]>;
  /** customers who are shown a property that is hidden from them: by resource and property, over the alias of the row */
  readonly reveals?: For<Readonly<Record<string, Rule & Function>>>;
  /** how many rows of this area still need a row */
  readonly uses?: For<(work: Work, id: number) => Promise<number>>;
  /** brings rows of this area in step with a change of a row, in its transaction; may refuse it */
  readonly follows?: For<(work: Work, id: number, values: Readonly<Record<string, unknown>>) => Promise<void>>;
  /** makes a row about a person the one of their account; false: it has one. The account is locked */
  readonly claims?: For<(tx: Transaction, of: Claim) => Promise<boolean>>;
  /** what its readers do about feed items, for the dry run of what leads to them */
  readonly consequences?: readonly Consequence[];
  /** what it answers to the other cells of the installation */
  readonly answers?: readonly CellQuestion[];
  /** names by which requests say which business they are for, so that the cells of an installation find it */
  readonly names?: readonly CellName[];
  /** names that are too many for it, and are looked for where somebody asks for one */
  readonly locators?: readonly CellLocator[];
  /** what addresses say of the business that they are for */
  readonly namesInPath?: readonly NameInAddress[];
  /**
   * What it has under way outside of transactions, which has to end before a business moves to another cell: by a name for
   * it, a SELECT of how much that is, of the business `$1`. Nothing new begins meanwhile: see `mayBegin`
   */
  readonly underWay?: Readonly<Record<string, string>>;
  /** what it puts into ports */
  readonly fills?: readonly Filling[];
}

/** What it needs of other areas, known once all have been gathered. */
interface Needs {
  /** lists of other areas whose filters it works with, whichever area added them */
  readonly lists?: readonly WholeList[];
  /** what areas after it fill */
  readonly ports?: readonly Port<any, any>[];
  /** views that it reads and an area after it defines, for conditions that need what only that area knows */
  readonly needsViews?: readonly string[];
}

export interface Area extends Has, Does, Adds, Needs {}

/** The area as a topic, and its further ones; those that show nothing are left out. */
export const topicsOf = (area: Area): readonly Topic[] =>
  [area, ...(area.topics ?? [])].filter(
    ({ endpoints = [], resources = [] }) => endpoints.length + resources.length > 0,
  );

export const endpointsOf = (area: Area): readonly Endpoint[] =>
  topicsOf(area).flatMap(({ endpoints = [] }) => endpoints);

export const resourcesOf = (area: Area): readonly Resource[] =>
  topicsOf(area).flatMap(({ resources = [] }) => resources);
