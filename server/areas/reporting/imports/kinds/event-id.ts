/** The external id of an imported event: ids of two products may be equal. */
import { hash } from 'node:crypto';

const LONGEST = 50;

export function eventIdElsewhere(source: string, id: string): string {
  const whole = `${source}:${id}`;
  return whole.length <= LONGEST ? whole : `${source.slice(0, 20)}:${hash('sha1', id, 'base64url')}`;
}
