/**
 * <rollcall-timetable> and <rollcall-buy>, for pages of other websites. Their policy must allow scripts and connections from
 * here, and nothing else: styles are constructed, and no cookie is set or sent. The link inside an element is shown until
 * its data has arrived.
 */
const ORIGIN = new URL(import.meta.url).origin;
const REFRESH_MS = 30_000;

const SHARED = `
:host { display: block; box-sizing: border-box; overflow: auto; font: inherit; color: inherit; line-height: 1.45; container-type: inline-size; font-family: var(--rollcall-font, inherit); color: var(--rollcall-color, inherit); background: var(--rollcall-background, transparent) }
:host([hidden]) { display: none }
ul { margin: 0; padding: 0; list-style: none }
p { margin: 0 }
.day { margin: 1.25em 0 .25em; font-size: 1.0625em; font-weight: 650 }
.day:first-child { margin-top: 0 }
a { color: var(--rollcall-link, inherit) }
a:focus-visible { outline: 3px solid currentColor; outline-offset: 2px }
.soft { opacity: .8; font-size: .9375em }
.act { display: inline-block; padding: .5em 1em; font-weight: 600; text-decoration: none; color: var(--rollcall-button-color, inherit); background: var(--rollcall-button, transparent); border: 1px solid var(--rollcall-button, currentColor); border-radius: var(--rollcall-radius, 10px) }
`;
const TIMETABLE = `
:host { height: var(--rollcall-height, 30rem) }
li { display: grid; grid-template-columns: 8.5em 1fr auto; gap: .125em 1em; align-items: center; padding: .625em 0; border-top: 1px solid var(--rollcall-line, color-mix(in srgb, currentColor 20%, transparent)) }
.time { font-variant-numeric: tabular-nums }
.end { text-align: right; display: grid; gap: .25em; justify-items: end }
.all { padding: .75em 0 }
@container (max-width: 30em) { li { grid-template-columns: 1fr auto } .time { grid-column: 1 / -1 } }
`;
const BUY = `
:host { height: var(--rollcall-height, 11rem) }
.price { font-size: 1.25em; font-weight: 650; margin: .25em 0 }
.act { margin-top: .75em }
`;

const sheetOf = (text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
};

/** An element with a class, and with texts and elements in it; what is null is left out. */
function make(name, className, ...inside) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...inside.filter((one) => one !== null && one !== ''));
  return element;
}

function link(url, text, className, label) {
  const a = make('a', className, text);
  const to = new URL(url, ORIGIN);
  // Our pages offer the way back only to the website that the browser names as the referrer.
  to.searchParams.set('back', location.href);
  a.referrerPolicy = 'origin';
  // An address of a page, and never one that runs.
  if (/^https?:$/.test(to.protocol)) a.href = to;
  if (label) a.setAttribute('aria-label', label);
  return a;
}

class Embedded extends HTMLElement {
  #shown = '';
  #timer;
  #asked = 0;
  #whenSeen = () => void this.#load();

  connectedCallback() {
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [sheetOf(SHARED + this.constructor.style)];
      root.append(make('slot'));
    }
    this.#timer = setInterval(this.#whenSeen, REFRESH_MS);
    document.addEventListener('visibilitychange', this.#whenSeen);
    void this.#load();
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    document.removeEventListener('visibilitychange', this.#whenSeen);
  }

  attributeChangedCallback() {
    if (this.shadowRoot) void this.#load();
  }

  async #load() {
    const business = this.getAttribute('business');
    if (!business || document.visibilityState !== 'visible') return;
    const mine = ++this.#asked;
    const query = new URLSearchParams();
    for (const name of this.constructor.observedAttributes)
      if (name !== 'business' && this.hasAttribute(name)) query.set(name, this.getAttribute(name) || '1');
    const language = this.closest('[lang]')?.lang;
    if (!query.has('language') && language) query.set('language', language.split('-')[0]);
    try {
      const address = `${ORIGIN}/${encodeURIComponent(business)}/embed/${this.constructor.data}?${query}`;
      const answer = await fetch(address, { credentials: 'omit', cache: 'no-cache' });
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      if (mine !== this.#asked || text === this.#shown) return;
      this.#shown = text;
      this.#show(JSON.parse(text));
    } catch {
      // What is there stays: what was shown before, or the link inside.
    }
  }

  #show(data) {
    const root = this.shadowRoot;
    const focused = root.activeElement?.href;
    const body = make('div', '', ...this.render(data));
    body.lang = data.language;
    root.replaceChildren(body);
    if (focused) [...root.querySelectorAll('a')].find((a) => a.href === focused)?.focus({ preventScroll: true });
  }
}

class Timetable extends Embedded {
  static observedAttributes = ['business', 'days', 'what', 'teacher', 'place', 'free', 'language'];
  static data = 'timetable.json';
  static style = TIMETABLE;

  render({ days, nothing, all }) {
    // No headings: which level would be right, only the page around it knows.
    const rows = days.flatMap((day) => {
      const list = make('ul', '', ...day.events.map(rowOf));
      list.setAttribute('aria-label', day.name);
      return [make('p', 'day', day.name), list];
    });
    return [...(rows.length > 0 ? rows : [make('p', '', nothing)]), make('p', 'all', link(all.url, all.text))];
  }
}

function rowOf({ name, time, more, state, act, url }) {
  const what = make('div', '', link(url, name), make('p', 'soft', more));
  const end = make('div', 'end', make('span', 'soft', state), act && link(url, act, 'act', `${act}: ${name}, ${time}`));
  return make('li', '', make('span', 'time', time), what, end);
}

class Buy extends Embedded {
  static observedAttributes = ['business', 'membership', 'language'];
  static data = 'membership.json';
  static style = BUY;

  render({ name, price, description, act, atDesk, url }) {
    return [
      make('p', '', link(url, name)),
      make('p', 'price', price),
      make('p', 'soft', description),
      act ? link(url, act, 'act', `${act}: ${name}`) : make('p', 'soft', atDesk),
    ];
  }
}

for (const [name, element] of [
  ['rollcall-timetable', Timetable],
  ['rollcall-buy', Buy],
])
  if (!customElements.get(name)) customElements.define(name, element);
