/** Filters of the timetable, and the offerings, instructors and venues on the home page. */
import { here, type Picture } from '../../../../kernel/pages/picture.ts';
import { pictureAt } from '../../../platform/images/index.ts';
import { minorOf } from '../../../../kernel/api/amount.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Ask, Entry } from '../../frame/index.ts';

export interface Choice {
  readonly id: number;
  readonly name: string;
}

/** A choice that the home page introduces with more than its name. */
export interface Introduced extends Choice {
  readonly description: string | null;
  readonly picture: Picture | null;
  /** of a single visit, before fees and taxes; null: it is free, or not sold singly */
  readonly price: Money | null;
}

export interface Located extends Choice {
  readonly address: string;
  readonly online: boolean;
}

export interface Place extends Located {
  readonly description: string | null;
  readonly lat: number | null;
  readonly lng: number | null;
  /** of its rooms, with their names */
  readonly rooms: readonly { readonly name: string; readonly picture: Picture }[];
}

/** Maximum number of offerings or instructors in a list to choose from. */
const MAX_ROWS = 100;

/** Values by which the timetable can be filtered. */
export interface Choices {
  readonly what: readonly (Choice & Pick<Introduced, 'picture' | 'price'>)[];
  readonly teachers: readonly Choice[];
  readonly places: readonly Located[];
}

/** The filters on the page of the timetable. */
export interface Filters extends Choices {
  /** categories in use, by name */
  readonly categories: readonly Choice[];
  /** some offerings have an age limit */
  readonly byAge: boolean;
}

/** The choices with their descriptions. */
export interface Introductions extends Choices {
  readonly what: readonly Introduced[];
  readonly teachers: readonly Introduced[];
  readonly places: readonly Place[];
}

const OFFERED = { status: 'active', schedule_type: 'class', page_size: MAX_ROWS } as const;

const PRICE = 'allows_dropins,dropin_price';

export async function filtersOf(ask: Ask, currency: string): Promise<Filters> {
  const [what, teachers, places] = await Promise.all([
    ask('GET /offering_types', {
      query: {
        fields: `id,name,image,${PRICE},category.id,category.name,min_allowed_age,max_allowed_age`,
        expand: 'category',
        ...OFFERED,
      },
    }),
    ask('GET /instructors', { query: { fields: 'id,name', page_size: MAX_ROWS } }),
    ask('GET /venues', { query: { fields: 'id,name,address,is_online', page_size: MAX_ROWS } }),
  ]);
  const categories = new Map<number, Choice>(
    what.results.flatMap(({ category }) => (category === null ? [] : [[category.id, category]])),
  );
  return {
    what: what.results.map((one) => introduced(one, currency)),
    teachers: teachers.results,
    places: places.results.map(located),
    categories: [...categories.values()].toSorted((a, b) => a.name.localeCompare(b.name)),
    byAge: what.results.some((one) => one.min_allowed_age !== null || one.max_allowed_age !== null),
  };
}

export async function loadIntroductions(
  ask: Ask,
  { business, currency }: { readonly business: number; readonly currency: string },
): Promise<Introductions> {
  const [what, teachers, places, rooms] = await Promise.all([
    ask('GET /offering_types', { query: { fields: `id,name,description,image,${PRICE}`, ...OFFERED } }),
    ask('GET /instructors', { query: { fields: 'id,name,description,picture_url', page_size: MAX_ROWS } }),
    ask('GET /venues', { query: { fields: 'id,name,description,address,lat,lng,is_online', page_size: MAX_ROWS } }),
    ask('GET /venue_rooms', { query: { fields: 'name,venue,thumbnail', status: 'active', page_size: MAX_ROWS } }),
  ]);
  return {
    what: what.results.map((one) => introduced(one, currency)),
    teachers: teachers.results.map(({ picture_url: url, ...rest }) => ({
      ...rest,
      picture: pictureAt(url, business),
      price: null,
    })),
    places: places.results.map(located).map((place) => ({
      ...place,
      rooms: rooms.results
        .filter(({ venue }) => venue === place.id)
        .flatMap(({ name, thumbnail }) => (thumbnail === null ? [] : [{ name, picture: here(thumbnail) }])),
    })),
  };
}

const located = <P extends { readonly is_online: boolean }>({ is_online: online, ...rest }: P) => ({ ...rest, online });

type Offering = Entry<'GET /offering_types', `image,${typeof PRICE}`>;

function introduced<O extends Offering>(
  { image, allows_dropins: sold, dropin_price: price, ...rest }: O,
  currency: string,
) {
  const minor = sold ? minorOf('dropin_price', price, currency) : 0;
  return { ...rest, picture: image && here(image), price: minor > 0 ? { minor, currency } : null };
}
