/**
 * What the timetable does where scripts run, and does without where they don't: places that are left stay true, filters and
 * other days come without a new page, and times are shown in the zone of the person who reads. It knows nothing of events:
 * whatever it shows is the page itself, asked for again.
 */
const LOOK_EVERY_MS = 15_000;

const content = () => document.getElementById('content');

/** The latest answer counts, whatever comes later to an earlier question. */
let asked = 0;

/** Pages that somebody has asked for, and that are still on their way: no look takes their place. */
let going = 0;

/** The page at an address; null where somebody has asked for another meanwhile. */
async function ask(address) {
  const mine = ++asked;
  const answer = await fetch(address, { cache: 'no-cache', headers: { accept: 'text/html' } });
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return mine === asked ? page : null;
}

// Places that are left ------------------------------------------------------------------------------------------------

const rowsOf = (page) =>
  new Map([...page.querySelectorAll('.event[data-event]')].map((row) => [row.dataset.event, row]));

/** Brings the rows that are shown up to date; where there are others by now, all of the content. */
function refresh(page) {
  const [here, there] = [rowsOf(document), rowsOf(page)];
  if ([...here.keys()].join() !== [...there.keys()].join()) return replace(page);
  for (const [id, row] of here) {
    // Times stay as they are: they may be shown in another zone.
    for (const part of ['.state', '.button']) {
      const [old, now] = [row.querySelector(part), there.get(id).querySelector(part)];
      if (old?.outerHTML === now?.outerHTML) continue;
      if (!old || !now) return replace(page);
      old.replaceChildren(...now.childNodes);
      for (const { name, value } of now.attributes) old.setAttribute(name, value);
    }
  }
}

async function look() {
  if (going > 0 || document.visibilityState !== 'visible' || !content()?.querySelector('[data-live]')) return;
  try {
    const page = await ask(location.href);
    if (page) refresh(page);
  } catch {
    // Without a connection the page stays as it is, and the next look tries again.
  }
}

// Other days, and filters ---------------------------------------------------------------------------------------------

/** Shows a page instead of the one that is shown, and leaves the person where they were. */
function replace(page) {
  const { activeElement: active } = document;
  const [id, wasOpen] = [active?.id, document.querySelector('.filters')?.open];
  content().replaceChildren(...page.getElementById('content').childNodes);
  document.querySelector('footer').replaceWith(page.querySelector('footer'));
  document.title = page.title;
  const filters = document.querySelector('.filters');
  if (filters && wasOpen) filters.open = true;
  if (id) document.getElementById(id)?.focus({ preventScroll: true });
  offerOwnTime();
}

async function go(address, { remember = true, heading = false } = {}) {
  content().setAttribute('aria-busy', 'true');
  going++;
  try {
    const page = await ask(address);
    if (!page) return;
    if (remember) history.pushState(null, '', address);
    replace(page);
    if (!heading) return;
    const title = content().querySelector('h1');
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  } catch {
    location.assign(address);
  } finally {
    if (--going === 0) content().removeAttribute('aria-busy');
  }
}

/** The address that a form leads to, without what was left open. */
function addressOf(form) {
  const chosen = [...new FormData(form)].filter(([, value]) => value !== '');
  return `${form.getAttribute('action')}?${new URLSearchParams(chosen)}`;
}

const filtersOf = ({ target }) => target.closest?.('.filters form');

document.addEventListener('change', (event) => {
  const form = filtersOf(event);
  if (form) void go(addressOf(form));
});

document.addEventListener('submit', (event) => {
  const form = filtersOf(event);
  if (!form) return;
  event.preventDefault();
  void go(addressOf(form));
});

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target.closest?.('main a[href]');
  if (!link || link.origin !== location.origin || link.pathname !== location.pathname) return;
  event.preventDefault();
  void go(link.href, { heading: true });
});

addEventListener('popstate', () => void go(location.href, { remember: false }));

// The reader's own time -----------------------------------------------------------------------------------------------

let own = false;

/** Minutes that a time which was printed with its offset is ahead of UTC. */
function aheadOf(text) {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(text) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const timesOf = () => [...content().querySelectorAll('.event time[data-ends]')];

function showTimes() {
  const clock = { hour: 'numeric', minute: '2-digit' };
  for (const time of timesOf()) {
    time.dataset.there ??= time.textContent;
    const [from, to] = [new Date(time.dateTime), new Date(time.dataset.ends)];
    const sameDay = from.getDate() === Number(time.dateTime.slice(8, 10)) && from.toDateString() === to.toDateString();
    const format = new Intl.DateTimeFormat(
      document.documentElement.lang,
      sameDay ? clock : { weekday: 'short', ...clock },
    );
    time.textContent = own ? format.formatRange(from, to) : time.dataset.there;
  }
}

/** Where some time is another one for the person who reads: a button that shows it. */
function offerOwnTime() {
  const line = content()?.querySelector('.zone[data-own]');
  if (!line || !timesOf().some((time) => aheadOf(time.dateTime) !== -new Date(time.dateTime).getTimezoneOffset()))
    return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain';
  const say = () => {
    button.textContent = own ? line.dataset.there : line.dataset.own;
    line.querySelector('span').hidden = own;
  };
  button.addEventListener('click', () => {
    own = !own;
    say();
    showTimes();
  });
  line.querySelector('button')?.remove();
  line.append(button);
  say();
  if (own) showTimes();
}

// Without a connection -----------------------------------------------------------------------------------------------

/** Who is logged in finds their bookings without a connection too. */
async function keepBookings() {
  const { offline } = content()?.querySelector('[data-offline]')?.dataset ?? {};
  if (!offline || !navigator.serviceWorker) return;
  await navigator.serviceWorker.register('/worker.js');
  (await navigator.serviceWorker.ready).active.postMessage(offline, []);
}

// Where browsers keep nothing, in private windows for example, everything else works.
keepBookings().catch(() => {});
offerOwnTime();
setInterval(look, LOOK_EVERY_MS);
document.addEventListener('visibilitychange', look);
