/** Booking a run of a course without an account: all of its dates, paid online unless it is free. */
import { readFees } from '../../../pricing/fees/index.ts';
import { coursePath, guestRunPath, runFacts, runPrice } from './views.ts';
import { coursesFor } from './messages.ts';
import { enrollUnlessToPay, itemOf } from './enroll.ts';
import { fillCheckout } from '../../checkout/index.ts';
import { guestRoute, type Selling } from '../../guests/index.ts';
import type { Business, Desk } from '../../frame/index.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import { idIn } from '../../../../kernel/pages/path-id.ts';
import { looking } from '../look.ts';
import { openToGuests, oneCourse } from './read.ts';
import type { At } from '../site.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';

export const guestRunRoute = (desk: Desk): PageRoute<Business> =>
  guestRoute(desk, '/{slug}/courses/{course_id}/{run_id}/guest', {
    from: ({ site, params }) => coursePath(site, idIn(params.course_id)),
    selling: (visit) => selling(desk, visit),
  });

/** Returns null if it can't be booked; the page of the course says why. */
async function selling(desk: Desk, visit: At): Promise<Selling | null> {
  const { site, params } = visit;
  const [id, series] = [idIn(params.course_id), idIn(params.run_id)];
  const { course, runs, addsFees } = await looking(desk, visit, async (ask, { tx }) => ({
    ...(await oneCourse(ask, { id, zone: visit.site.tenant.zone, people: null })),
    addsFees: (await readFees(tx, site.id)).addsTo('course'),
  }));
  const run = runs.find((one) => one.id === series);
  if (!run || !openToGuests(run)) return null;
  const written = coursesFor(visit);
  return {
    self: guestRunPath(site, id, series),
    from: coursePath(site, id),
    name: `${course.name}: ${run.name}`,
    about: html`${runPrice(written, run.priceNow, addsFees)}<p>${runFacts(written, run)}</p>`,
    free: run.priceNow.minor === 0,
    booked: { series },
    fields: {},
    wanted:
      () =>
      async ({ ask, customer, tx }) =>
        (await enrollUnlessToPay(tx, ask, series, customer))
          ? null
          : fillCheckout(ask, customer, [itemOf(series, customer)]),
  };
}
