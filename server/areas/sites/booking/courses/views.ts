/** Pages of courses: the list, and one course with its runs, its dates and how to book. */
import { amountIn, dayIn, daysIn, momentIn, nearDayIn, timesIn } from '../../../../kernel/base/languages/times.ts';
import {
  afterPaying,
  bookWith,
  businessData,
  choicesList,
  eventPageOf,
  sitePage,
  sitePath,
  waysOrAsk,
  wayTo,
  type Payer,
  type Refused,
} from '../../frame/index.ts';
import { firstLine, paragraphs } from '../../events/index.ts';
import { formatDecimal, type Money } from '../../../../kernel/base/values/money.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { problemBox, withBuyers, type Buyer, type Buyers } from '../views/buyers.ts';
import {
  openToGuests,
  type Course,
  type CourseDate,
  type Listed,
  type Run,
  type Shown,
  type Standing,
} from './read.ts';
import { TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import type { At } from '../site.ts';
import type { CoursePayers } from './payers.ts';
import type { CoursesWritten } from './messages.ts';
import type { Shown as Page } from '../../../../kernel/pages/visit.ts';

export const coursePath = (site: At['site'], id: number): string => `${sitePath(site, 'courses')}/${id}`;

/** Returns the page where somebody without an account books a run. */
export const guestRunPath = (site: At['site'], course: number, run: number): string =>
  `${coursePath(site, course)}/${run}/guest`;

export interface CoursesView {
  readonly courses: readonly Listed[];
  readonly personal: boolean;
  /** in epoch milliseconds, by the business's clock */
  readonly now: number;
}

export function coursesPage(visit: At, written: CoursesWritten, { courses, personal, now }: CoursesView): Page {
  const { site } = visit;
  const { say } = written;
  const body = html`<div class="page-title">
<h1>${say('courses.title')}</h1>${courses.length === 0 ? null : html`<p>${say('courses.lead')}</p>`}</div>
${
  courses.length === 0
    ? html`<section class="card"><p>${say('courses.none')}</p>
<p class="actions"><a class="button" href="${sitePath(site, 'timetable')}">${say('nav.timetable')}</a></p></section>`
    : html`<ul class="offers">${courses.map((one) => courseCard(visit, written, one, now))}</ul>`
}`;
  return sitePage(visit, written, say('courses.title'), body, {
    here: 'courses',
    description: say('courses.description', { name: site.name }),
    data: [businessData(visit), ...courses.map((one) => courseData(visit, one, one.runs))],
    personal,
  });
}

function courseCard({ site }: At, written: CoursesWritten, one: Listed, now: number): Html {
  const { say } = written;
  const [next] = one.runs;
  const to = coursePath(site, one.id);
  return html`<li class="card"><h2><a href="${to}">${one.name}</a></h2>
<p class="price">${priceText(written, next)}</p>
<p class="soft">${beginText(written, next, now)} · ${say('courses.dates', { n: next.dates })}</p>
${one.description ? html`<p class="own">${firstLine(one.description)}</p>` : null}
<p class="actions"><a class="button" href="${to}" aria-label="${say('courses.see')}: ${one.name}">${say('courses.see')}</a></p></li>`;
}

const priceText = ({ say, reader }: CoursesWritten, { price }: Pick<Run, 'price'>): string =>
  price.minor === 0 ? say('courses.free') : amountIn(reader.locale, price);

/** Renders the price, with a note if fees are added. */
export const runPrice = (written: CoursesWritten, price: Money, addsFees: boolean): Html =>
  html`<p class="price">${priceText(written, { price })}${
    price.minor > 0 && addsFees ? html` <span class="soft small">${written.say('courses.before_fees')}</span>` : null
  }</p>`;

/** Returns the dates, their number, the instructors and the venue on one line. */
export function runFacts({ say, reader }: CoursesWritten, run: Shown): string {
  const teachers = [...new Set(run.all.flatMap((date) => date.teachers))];
  return [
    daysIn(reader.locale, run.startsAt, run.endsAt, run.zone),
    say('courses.dates', { n: run.dates }),
    teachers.length > 0 ? say('event.with', { names: teachers.join(', ') }) : null,
    run.venue,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

const beginText = ({ say, reader }: CoursesWritten, { startsAt, zone, datesLeft }: Run, now: number): string =>
  startsAt > now
    ? say('courses.begins', { day: nearDayIn(reader.locale, startsAt, zone) })
    : say('courses.running', { n: datesLeft });

/** Renders the courses on the home page of a business. */
export const coursesCard = (visit: At, written: CoursesWritten, courses: readonly Listed[], now: number): Html | null =>
  courses.length === 0
    ? null
    : html`<section class="card" aria-labelledby="courses"><h2 id="courses">${written.say('courses.title')}</h2>
<p class="soft">${written.say('courses.lead')}</p>
<ul class="rows">${courses
        .slice(0, MAX_AT_HOME)
        .map(
          (one) =>
            html`<li><div><a href="${coursePath(
              visit.site,
              one.id,
            )}"><strong>${one.name}</strong></a><p class="soft">${beginText(written, one.runs[0], now)}</p></div></li>`,
        )}</ul>
<p class="actions"><a href="${sitePath(visit.site, 'courses')}">${written.say('courses.all')}</a></p></section>`;

const MAX_AT_HOME = 4;

export interface CourseView {
  readonly course: Course;
  readonly runs: readonly Shown[];
  readonly buyers: Buyers;
  /** fees or taxes are added to the prices */
  readonly addsFees: boolean;
  /** memberships that would pay */
  readonly payers: CoursePayers;
  readonly now: number;
  /** refusal of the last attempt */
  readonly problem: Refused | null;
}

/** `booked` is for people without an account. */
const DONE = ['enrolled', 'booked', 'waiting', 'left'] as const;
export type Done = (typeof DONE)[number];

export function coursePage(visit: At, written: CoursesWritten, view: CourseView): Page {
  const { site } = visit;
  const { say } = written;
  const { course, runs, problem } = view;
  const others = wayTo(sitePath(site, 'courses'), say('courses.all'));
  const done = DONE.find((name) => name === visit.query.get('done'));
  const body = html`${
    problem === null && done
      ? html`<div class="done" role="status"><p>${say(`done.${done}`)}</p>
</div>`
      : problemBox(visit, written, problem, [others])
  }
<div class="card"><h1>${course.name}</h1>
${course.description ? html`<div class="about">${paragraphs(course.description)}</div>` : null}
${
  runs.length === 0
    ? html`<p>${say('courses.nothing_open', { name: site.name })}</p>${waysOrAsk(visit, written, [others])}`
    : null
}</div>
${runs.map((run) => runCard(visit, written, run, view))}
<p class="turn"><a href="${sitePath(site, 'courses')}">${say('courses.all')}</a></p>`;
  return sitePage(visit, written, course.name, body, {
    here: 'courses',
    description: course.description.split(/\n/)[0] || say('courses.description', { name: site.name }),
    data: [businessData(visit), courseData(visit, course, runs)],
    personal: view.buyers !== null,
    indexed: !visit.query.has('done'),
    status: problem === null ? 200 : 409,
    self: coursePath(site, course.id),
  });
}

function runCard(visit: At, written: CoursesWritten, run: Shown, view: CourseView): Html {
  const { say, reader } = written;
  const id = `run-${run.id}`;
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${run.name}</h2>
${runPrice(written, run.price, view.addsFees)}
<p class="soft">${runFacts(written, run)}</p>
<p>${stateText(visit, written, run, view.now)}</p>
${
  run.singlePrice === null
    ? null
    : html`<p class="soft">${say('courses.single', { price: amountIn(reader.locale, run.singlePrice) })}</p>`
}
<details${
    view.runs.length === 1 ? html` open` : null
  }><summary>${say('courses.all_dates')}</summary><ul class="lines">${run.all.map((date) =>
    dateRow(visit, written, date, run, view.now),
  )}</ul></details>
${waysIn(visit, written, run, view)}</section>`;
}

/** Returns whether a run is open, has begun or is full, with the next step. */
function stateText({ site }: At, written: CoursesWritten, run: Shown, now: number): string {
  const { say, reader } = written;
  const { all, canJoin, full, priceNow } = run;
  if (!canJoin) return say('courses.closed', { name: site.name });
  const begins = beginText(written, run, now);
  if (full) return `${begins}. ${say('courses.full')}`;
  const places = all.flatMap(({ left, startsAt, cancelled }) =>
    left === null || cancelled || startsAt <= now ? [] : [left],
  );
  const free = places.length === 0 ? null : say('event.places', { n: Math.min(...places) });
  const late =
    run.startsAt <= now && priceNow.minor > 0
      ? say('courses.late', { price: amountIn(reader.locale, priceNow) })
      : null;
  return [begins, free, late].filter((part) => part !== null).join('. ');
}

function dateRow(
  { site }: At,
  { say, reader }: CoursesWritten,
  date: CourseDate,
  { venue, singlePrice }: Shown,
  now: number,
): Html {
  const day = dayIn(reader.locale, date.startsAt, date.zone);
  const state = date.cancelled ? say('event.cancelled') : date.endsAt <= now ? say('event.over') : '';
  const more = [timesIn(reader.locale, date.startsAt, date.endsAt, date.zone), date.venue === venue ? '' : date.venue];
  // A single date is booked on its own page.
  const single = singlePrice !== null && state === '';
  return html`<li><div><strong>${
    single ? html`<a href="${eventPageOf(site, date.id)}">${day}</a>` : day
  }</strong><p class="soft">${more.filter(Boolean).join(', ')}</p></div><span class="amount">${state}</span></li>`;
}

function waysIn(
  visit: At,
  written: CoursesWritten,
  run: Shown,
  { course, buyers, payers }: CourseView,
): Html | Html[] | null {
  const path = coursePath(visit.site, course.id);
  const stands = buyers?.some(({ id }) => run.standing.has(id)) ?? false;
  if (!run.canJoin && !stands) return waysOrAsk(visit, written, []);
  const guest = openToGuests(run) ? guestRunPath(visit.site, course.id, run.id) : undefined;
  return withBuyers(visit, written, { buyers, path, guest, among: true }, (buyer) =>
    buyerCard(visit, written, run, { buyer, path, payers: payers.get(`${run.id} ${buyer.id}`) ?? [] }),
  );
}

/** Renders a person's relation to the run, and their actions. */
function buyerCard(
  visit: At,
  written: CoursesWritten,
  run: Shown,
  { buyer, path, payers }: { readonly buyer: Buyer; readonly path: string; readonly payers: readonly Payer[] },
): Html {
  const { say, reader } = written;
  const { name } = buyer;
  const standing = run.standing.get(buyer.id) ?? { kind: 'none' };
  const form = (act: 'enroll' | 'wait' | 'leave', label: string, quiet = false, membership?: number): Html =>
    html`<form method="post" action="${path}"><input type="hidden" name="${TOKEN_FIELD}" value="${visit.token}">
<input type="hidden" name="run" value="${run.id}"><input type="hidden" name="customer" value="${buyer.id}"><input type="hidden" name="act" value="${act}">${membership === undefined ? null : html`<input type="hidden" name="membership" value="${membership}">`}
<div class="actions"><button${quiet ? html` class="quiet"` : null}>${label}</button></div></form>`;
  const enroll = () => {
    const key = run.priceNow.minor > 0 ? 'courses.pay' : 'courses.book';
    const paying = form(
      'enroll',
      name === null ? say(key) : say(`${key}_for`, { name }),
      name !== null || payers.length > 0,
    );
    if (payers.length === 0) return paying;
    return html`${choicesList([
      ...payers.map((payer, i) => ({
        text: afterPaying(written, payer),
        form: form('enroll', bookWith(written, payer, name), name !== null || i > 0, payer.id),
      })),
      { text: say('courses.once', { price: amountIn(reader.locale, run.priceNow) }), form: paying },
    ])}`;
  };
  const text = standingText(written, standing, name, run.zone);
  const leave = () => form('leave', say('courses.leave'), true);
  switch (standing.kind) {
    case 'enrolled':
      return html`<p><strong>${text}</strong></p>`;
    case 'waiting':
      return html`<p><strong>${text}</strong></p>${leave()}`;
    case 'offered':
      return html`<p><strong>${text}</strong></p>${enroll()}${leave()}`;
    case 'none':
      if (!run.canJoin) return html``;
      return run.full
        ? form('wait', name === null ? say('event.wait') : say('courses.wait_for', { name }), name !== null)
        : enroll();
  }
}

function standingText({ say, reader }: CoursesWritten, standing: Standing, name: string | null, zone: string): string {
  switch (standing.kind) {
    case 'none':
      return '';
    case 'enrolled':
      return name === null ? say('courses.enrolled') : say('courses.enrolled_name', { name });
    case 'waiting': {
      const n = standing.position;
      return name === null ? say('courses.waiting', { n }) : say('courses.waiting_name', { n, name });
    }
    case 'offered': {
      const when = momentIn(reader.locale, standing.until, zone);
      return name === null ? say('courses.offered', { when }) : say('courses.offered_name', { when, name });
    }
  }
}

/** Returns a course with its runs for search engines. */
const courseData = ({ site, baseUrl }: At, course: Course, runs: readonly (Run & Partial<Shown>)[]): object => ({
  '@type': 'https://schema.org/Course',
  name: course.name,
  description: course.description || course.name,
  url: `${baseUrl}${coursePath(site, course.id)}`,
  provider: { '@id': `${baseUrl}${site.home}` },
  hasCourseInstance: runs.map((run) => ({
    '@type': 'https://schema.org/CourseInstance',
    name: run.name,
    courseMode: 'Onsite',
    startDate: run.startsAtText,
    endDate: run.endsAtText,
    location: { '@type': 'Place', name: run.venue },
    ...(run.all && {
      instructor: [...new Set(run.all.flatMap((date) => date.teachers))].map((name) => ({ '@type': 'Person', name })),
    }),
    offers: {
      '@type': 'Offer',
      category: run.price.minor === 0 ? 'Free' : 'Paid',
      price: formatDecimal(run.price),
      priceCurrency: run.price.currency,
      availability: `https://schema.org/${run.full ? 'SoldOut' : 'InStock'}`,
      url: `${baseUrl}${coursePath(site, course.id)}`,
    },
  })),
});
