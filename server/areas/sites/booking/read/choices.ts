/** What the timetable can be narrowed to, and what the home page introduces. */
import type { Ask } from '../../../../kernel/api/calls.ts';

export interface Choice {
  readonly id: number;
  readonly name: string;
}

export interface Teacher extends Choice {
  readonly description: string;
}

export interface Place extends Choice {
  readonly description: string;
  readonly address: string;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly online: boolean;
}

/** What is offered, or who teaches: as many as a list to choose from can hold. */
const MOST = 100;

export interface Choices {
  readonly what: readonly Choice[];
  readonly teachers: readonly Teacher[];
  readonly places: readonly Place[];
}

export async function choicesOf(ask: Ask): Promise<Choices> {
  const [what, teachers, places] = await Promise.all([
    ask('GET /offering_types', {
      query: { fields: 'id,name', status: 'active', schedule_type: 'class', page_size: MOST },
    }),
    ask('GET /instructors', { query: { fields: 'id,name,description', page_size: MOST } }),
    ask('GET /venues', { query: { fields: 'id,name,description,address,lat,lng,is_online', page_size: MOST } }),
  ]);
  return {
    what: what.results,
    teachers: teachers.results,
    places: places.results.map(({ is_online: online, ...rest }: any) => ({ ...rest, online })),
  };
}
