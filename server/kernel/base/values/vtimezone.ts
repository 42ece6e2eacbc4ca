/** The zone definition that calendars require (RFC 5545, 3.6.5). */
import { offsetInterval } from './offset.ts';

const basic = (wall: string): string => wall.replaceAll(/[-:]/g, '');
const offset = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}${String(Math.abs(minutes) % 60).padStart(2, '0')}`;

/**
 * Returns the part of the zone that the event needs: the intervals between clock changes that contain it, and the one
 * before.
 */
export function zoneDefinition(zone: string, from: number, to: number): string {
  const stretches = [];
  for (let at = from; ;) {
    const stretch = offsetInterval(at, zone);
    stretches.push(stretch);
    if (stretch.until > to) break;
    at = stretch.until;
  }
  const observances = stretches.map(({ from: begin, offset: minutes }) => {
    const before = Number.isFinite(begin) ? offsetInterval(begin - 1, zone).offset : minutes;
    // In the local time before the change, as RFC 5545 requires.
    const local = Number.isFinite(begin)
      ? basic(new Date(begin + before * 60_000).toISOString().slice(0, 19))
      : '19700101T000000';
    const kind = minutes > before ? 'DAYLIGHT' : 'STANDARD';
    return [
      `BEGIN:${kind}`,
      `DTSTART:${local}`,
      `TZOFFSETFROM:${offset(before)}`,
      `TZOFFSETTO:${offset(minutes)}`,
      `END:${kind}`,
    ].join('\r\n');
  });
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances, 'END:VTIMEZONE'].join('\r\n');
}
