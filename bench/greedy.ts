/**
 * A business that sends as many requests as it can, in a separate process: reports when all of its connections are
 * busy, and its results at the end.
 */
import { load, prepare } from './kit/load.ts';

export interface GreedyOptions {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  /** number of its attendances */
  readonly rows: number;
}

export interface GreedyReport {
  /** number of pages that it got */
  readonly perSecond: number;
  /** responses that are neither a page nor "too busy" */
  readonly failed: number;
}

const MAX_SECONDS = 60;
const PAGE = 100;

const { url, token, connections, rows } = JSON.parse(process.argv[2]) as GreedyOptions;

// The deepest pages, sorted by the day the customer was entered: every booking of the business is joined and sorted.
// Each is another one, so that none is read for several at once.
const deepest = Math.floor(rows / PAGE);
const requests = Array.from({ length: connections * 2 }, (_, i) =>
  prepare({
    method: 'GET',
    path: `/api/v2/attendances?sort=-customer.created_at&expand=customer,event&page_size=${PAGE}&page=${deepest - i}`,
    headers: { host: new URL(url).host, authorization: `Bearer ${token}` },
  }),
);

let stopped = false;
let sent = 0;
process.once('message', () => (stopped = true));
const {
  perSecond,
  requests: sentInAll,
  statuses,
  errors,
} = await load({
  url,
  connections,
  seconds: MAX_SECONDS,
  next: (i) => {
    if (++sent === connections) process.send?.('busy');
    return requests[i % requests.length];
  },
  until: () => stopped,
});
const pages = statuses[200] ?? 0;
process.send?.({
  perSecond: (perSecond * pages) / sentInAll,
  failed: errors + sentInAll - pages - (statuses[503] ?? 0),
} satisfies GreedyReport);
process.disconnect?.();
