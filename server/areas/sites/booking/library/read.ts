/** The library of a business, as the interface shows it to the reader. */
import { here, type Picture } from '../../../../kernel/pages/picture.ts';
import type { Ask, Person } from '../../frame/index.ts';

const MAX_ROWS = 100;
/** People of a family whose access is looked up. */
const MAX_PEOPLE = 8;

const COLLECTION = 'id,name,description,content_count,access,thumbnail,content_thumbnail,active_customer_has_access';
const OPENS =
  'memberships.id,memberships.name,courses.id,courses.name,courses.offering_type.name,products.id,products.name';
const CONTENT =
  'id,name,description,type,duration_minutes,collection,thumbnail,instructors.name,tags.id,tags.name,is_favorited_by_active_customer';

export interface Collection {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly items: number;
  readonly picture: Picture | null;
  readonly open: boolean;
}

export interface Item {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: 'video' | 'audio' | 'document';
  readonly minutes: number | null;
  readonly collection: number;
  readonly picture: Picture | null;
  readonly teachers: readonly string[];
  readonly tags: readonly string[];
  readonly favorite: boolean;
}

export interface Named {
  readonly id: number;
  readonly name: string;
}

/** Everything that opens a collection and that the reader may see. */
export interface Keys {
  readonly memberships: readonly Named[];
  readonly courses: readonly Named[];
  readonly products: readonly Named[];
}

export interface Filter extends Named {
  readonly tags: readonly Named[];
}

const pictureIn = (shown: unknown): Picture | null => (shown ? here(shown as Picture) : null);

const collectionFrom = (one: any): Collection => ({
  id: one.id,
  name: one.name,
  description: one.description,
  items: one.content_count,
  picture: pictureIn(one.thumbnail ?? one.content_thumbnail),
  open: one.active_customer_has_access,
});

/** A course without a name is called as its offering type is. */
const courseFrom = ({ id, name, offering_type: type }: any): Named => ({ id, name: name ?? type.name });

const itemFrom = (one: any): Item => ({
  id: one.id,
  name: one.name,
  description: one.description,
  type: one.type,
  minutes: one.duration_minutes,
  collection: one.collection,
  picture: pictureIn(one.thumbnail),
  teachers: one.instructors.map(({ name }: { name: string }) => name),
  tags: one.tags.map(({ name }: { name: string }) => name),
  favorite: one.is_favorited_by_active_customer,
});

export async function collections(ask: Ask): Promise<readonly Collection[]> {
  const { results } = await ask('GET /content_collections', { query: { fields: COLLECTION, page_size: MAX_ROWS } });
  return results.map(collectionFrom);
}

/** Returns the restricted collections that a membership opens. */
export async function openedBy(ask: Ask, membership: number): Promise<readonly Named[]> {
  const { results } = await ask('GET /content_collections', {
    query: { membership, fields: 'id,name', page_size: MAX_ROWS },
  });
  return results;
}

export async function favorites(ask: Ask, customer: number): Promise<readonly Item[]> {
  const { results } = await ask('GET /content', {
    query: { fields: CONTENT, favorited_by: customer, page_size: MAX_ROWS },
  });
  return results.map(itemFrom);
}

/** Returns the first of the people who may open a collection; null: nobody may. */
export async function whoOpens(ask: Ask, id: number, people: readonly Person[]): Promise<number | null> {
  for (const { id: customer } of people.slice(0, MAX_PEOPLE)) {
    const { active_customer_has_access: open } = await ask('GET /content_collections/{id}', {
      params: { id },
      query: { fields: 'active_customer_has_access', active_customer: customer },
    });
    if (open) return customer;
  }
  return null;
}

export interface Inside {
  readonly collection: Collection;
  readonly keys: Keys;
  readonly items: readonly Item[];
  readonly filters: readonly Filter[];
}

/** @throws Problem 404 */
export async function inside(ask: Ask, id: number, tags: readonly number[]): Promise<Inside> {
  const found: any = await ask('GET /content_collections/{id}', {
    params: { id },
    query: { fields: `${COLLECTION},${OPENS}` },
  });
  const [listed, filters]: [any, any] = [
    await ask('GET /content', {
      query: { fields: CONTENT, collection: id, page_size: MAX_ROWS, ...(tags.length > 0 && { tags: tags.join() }) },
    }),
    await ask('GET /content_filters', { query: { fields: 'id,name,tags.id,tags.name', collection: id } }),
  ];
  const { memberships, courses, products } = found;
  return {
    collection: collectionFrom(found),
    keys: { memberships, courses: courses.map(courseFrom), products },
    items: listed.results.map(itemFrom),
    filters: filters.results,
  };
}
