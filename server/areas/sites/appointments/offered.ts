/**
 * Offerings for which people book a time of their own: appointments and rentals, whether or not anybody has booked one
 * yet.
 */
import { here, type Picture } from '../../../kernel/pages/picture.ts';
import type { Ask } from '../frame/index.ts';

/** Maximum length of a list of choices. */
const MAX_ROWS = 100;

export interface Offered {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly picture: Picture | null;
}

const KINDS = ['appointment', 'room_rental'];

export const isByTheTime = (scheduleType: string): boolean => KINDS.includes(scheduleType);

export async function ownTimesOf(ask: Ask): Promise<readonly Offered[]> {
  const { results } = await ask('GET /offering_types', {
    query: { fields: 'id,name,description,image', status: 'active', schedule_type: KINDS.join(), page_size: MAX_ROWS },
  });
  return results.map(({ id, name, description, image }): Offered => ({
    id,
    name,
    description: description ?? '',
    picture: image && here(image),
  }));
}
