/** What the timetable can be narrowed to, and what the home page introduces. */
import { here, type Picture } from '../../../../kernel/pages/picture.ts';
import { pictureAt } from '../../../platform/images/index.ts';
import type { Ask } from '../../../../kernel/api/calls.ts';

export interface Choice {
  readonly id: number;
  readonly name: string;
}

/** What is introduced by more than its name. */
export interface Introduced extends Choice {
  readonly description: string;
  readonly picture: Picture | null;
}

export interface Located extends Choice {
  readonly address: string;
  readonly online: boolean;
}

export interface Place extends Located {
  readonly description: string;
  readonly lat: number | null;
  readonly lng: number | null;
  /** of its rooms, by their names */
  readonly rooms: readonly { readonly name: string; readonly picture: Picture }[];
}

/** What is offered, or who teaches: as many as a list to choose from can hold. */
const MOST = 100;

/** What the timetable can be narrowed to. */
export interface Choices {
  readonly what: readonly (Choice & Pick<Introduced, 'picture'>)[];
  readonly teachers: readonly Choice[];
  readonly places: readonly Located[];
}

/** The same, with what there is to say about each. */
export interface Introductions extends Choices {
  readonly what: readonly Introduced[];
  readonly teachers: readonly Introduced[];
  readonly places: readonly Place[];
}

const OFFERED = { status: 'active', schedule_type: 'class', page_size: MOST };

export async function choicesOf(ask: Ask): Promise<Choices> {
  const [what, teachers, places] = await Promise.all([
    ask('GET /offering_types', { query: { fields: 'id,name,image', ...OFFERED } }),
    ask('GET /instructors', { query: { fields: 'id,name', page_size: MOST } }),
    ask('GET /venues', { query: { fields: 'id,name,address,is_online', page_size: MOST } }),
  ]);
  return { what: what.results.map(introduced), teachers: teachers.results, places: places.results.map(located) };
}

export async function introductionsOf(ask: Ask, business: number): Promise<Introductions> {
  const [what, teachers, places, rooms] = await Promise.all([
    ask('GET /offering_types', { query: { fields: 'id,name,description,image', ...OFFERED } }),
    ask('GET /instructors', { query: { fields: 'id,name,description,picture_url', page_size: MOST } }),
    ask('GET /venues', { query: { fields: 'id,name,description,address,lat,lng,is_online', page_size: MOST } }),
    ask('GET /venue_rooms', { query: { fields: 'name,venue,thumbnail', status: 'active', page_size: MOST } }),
  ]);
  return {
    what: what.results.map(introduced),
    teachers: teachers.results.map(({ picture_url: url, ...rest }: any) => ({
      ...rest,
      picture: pictureAt(url, business),
    })),
    places: places.results.map(located).map((place: any) => ({
      ...place,
      rooms: rooms.results
        .filter(({ venue, thumbnail }: any) => venue === place.id && thumbnail !== null)
        .map(({ name, thumbnail }: any) => ({ name, picture: here(thumbnail) })),
    })),
  };
}

const located = ({ is_online: online, ...rest }: any) => ({ ...rest, online });

const introduced = ({ image, ...rest }: any): Introduced => ({ ...rest, picture: image && here(image) });
