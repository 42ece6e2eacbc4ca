/**
 * Progressive enhancement of the timetable: with scripts, the remaining places stay up to date, filters and other days
 * load without a new page, and times can be shown in the reader's time zone. The script knows nothing about events:
 * everything that it shows comes from requesting the page again.
 */
const LOOK_EVERY_MS = 15_000;

const content = () => document.getElementById('content');

/** Number of the latest request: only its response counts, even if that of an earlier one arrives later. */
let asked = 0;

/**
 * Number of pages that the person has requested and that are still loading: the periodic refresh doesn't replace them.
 */
let going = 0;

/** Requests the page at an address; returns null if another page was requested in the meantime. */
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

/** Updates the rows that are shown; replaces the whole content if the rows themselves have changed. */
function refresh(page) {
  const [here, there] = [rowsOf(document), rowsOf(page)];
  if ([...here.keys()].join() !== [...there.keys()].join()) return replace(page);
  for (const [id, row] of here) {
    // Times are not updated, because they may be shown in another zone.
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
    // Without a connection the page is unchanged, and the next refresh tries again.
  }
}

// Other days, and filters ---------------------------------------------------------------------------------------------

/** Replaces the page that is shown, and keeps the person's focus. */
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

/** Returns the address that a form leads to, without empty fields. */
function addressOf(form) {
  const chosen = [...new FormData(form)].filter(([, value]) => value !== '');
  return `${form.getAttribute('action')}?${new URLSearchParams(chosen)}`;
}

const filtersOf = ({ type, target }) => target.closest?.(type === 'submit' ? '.filters form, .find' : '.filters form');

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

/** Returns the UTC offset, in minutes, of a time that was printed with its offset. */
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

/** Adds a button that shows times in the reader's zone, if any of them differs there. */
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

/** Stores the bookings of a logged-in person so that they are available without a connection. */
async function keepBookings() {
  const { offline } = content()?.querySelector('[data-offline]')?.dataset ?? {};
  if (!offline || !navigator.serviceWorker) return;
  await navigator.serviceWorker.register('/worker.js');
  (await navigator.serviceWorker.ready).active.postMessage(offline, []);
}

// If the browser stores nothing, for example in private windows, everything else still works.
keepBookings().catch(() => {});
offerOwnTime();
setInterval(look, LOOK_EVERY_MS);
document.addEventListener('visibilitychange', look);
