/** A page of sessions in Realtime Paged Data Exchange: https://openactive.io/realtime-paged-data-exchange/ */
import { askAs, loadStaffViewer, type At, type Desk } from '../../frame/index.ts';
import { changesAfter, type After } from './changes.ts';
import { EXPANDED, isWhole, sessionOf, SHOWN, type Event } from './session.ts';
import { LICENSE, openPath } from './addresses.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { Document } from '../../../../kernel/pages/document.ts';

/** The number that the standard recommends. */
const ITEMS = 500;
/** Events that one call returns. */
const EVENTS = 250;

const FIRST: After = { modified: 0, id: 0 };

/** @throws Problem if only one of the two is given, or one is not a number */
function afterOf(query: URLSearchParams): After {
  const [modified, id] = [query.get('afterTimestamp'), query.get('afterId')];
  if (modified === null && id === null) return FIRST;
  if (![modified, id].every((text) => text !== null && /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))))
    throw new Problem('parameter_invalid', 'afterTimestamp and afterId are whole numbers, and come together.');
  return { modified: Number(modified), id: Number(id) };
}

export const feedPath = (site: At['site']): string => `${openPath(site)}/scheduled-sessions`;

export function sessionsPage(desk: Desk, visit: At): Promise<Document> {
  const { site, baseUrl } = visit;
  const after = afterOf(visit.query);
  return desk.door.db.lookingAnywhere(site.id, async (tx) => {
    const changes = await changesAfter(tx, site.id, after, ITEMS);
    const { viewer } = await loadStaffViewer(tx, visit, null);
    const ask = askAs(desk, visit, viewer, tx);
    const shown = new Map<number, Event>();
    for (let first = 0; first < changes.length; first += EVENTS) {
      const ids = changes.slice(first, first + EVENTS).map(({ id }) => id);
      const { results } = await ask('GET /events', {
        query: { fields: SHOWN, expand: EXPANDED, ids: ids.join(','), page_size: EVENTS },
      });
      for (const event of results) if (isWhole(event)) shown.set(event.id, event);
    }
    const items = changes.map(({ id, modified }) => {
      const event = shown.get(id);
      return {
        state: event ? 'updated' : 'deleted',
        kind: 'ScheduledSession',
        id,
        modified,
        ...(event && { data: sessionOf(visit, event) }),
      };
    });
    const last = changes.at(-1) ?? after;
    const from = last === FIRST ? '' : `?afterTimestamp=${last.modified}&afterId=${last.id}`;
    const body = JSON.stringify({ next: `${baseUrl}${feedPath(site)}${from}`, items, license: LICENSE });
    return {
      type: 'application/vnd.openactive.rpde+json; version=1',
      body,
      // Entries before the last page never change their position; new ones appear at the end.
      headers: { ...FOR_ALL, 'cache-control': `public, max-age=${items.length === 0 ? 8 : 3600}` },
    };
  });
}

/** Pages of other sites may read it too. */
export const FOR_ALL = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
