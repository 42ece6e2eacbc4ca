/** Pages of the library: its collections, and one collection with its items. */
import { businessData, sitePage, sitePath, startForm, wayTo, type Refused } from '../../frame/index.ts';
import { coursePath } from '../courses/views.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { membershipPath } from '../views/memberships.ts';
import { paragraphs } from '../../events/index.ts';
import { picture, type Picture } from '../../../../kernel/pages/picture.ts';
import { problemBox } from '../views/buyers.ts';
import { productPath } from '../shop/views.ts';
import { TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import type { At } from '../site.ts';
import type { Collection, Filter, Inside, Item, Keys } from './read.ts';
import type { LibraryWritten } from './messages.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';

export const collectionPath = (site: At['site'], id: number): string => `${sitePath(site, 'library')}/${id}`;

/** Renders a picture without alternative text: the name next to it describes it. */
const pictureOf = (shown: Picture | null): Html | null =>
  shown && picture(shown, { alt: '', sizes: '20rem', lazy: true, class: 'picture' });

interface LibraryView {
  readonly collections: readonly Collection[];
  readonly favorites: readonly Item[];
  readonly personal: boolean;
}

export function libraryPage(visit: At, written: LibraryWritten, view: LibraryView): Shown {
  const { site } = visit;
  const { say } = written;
  const { collections, favorites, personal } = view;
  const title = say('library.title');
  const body = html`<div class="page-title">
<h1>${title}</h1>${collections.length === 0 ? null : html`<p>${say('library.lead')}</p>`}</div>
${
  favorites.length === 0
    ? null
    : html`<section class="card" aria-labelledby="favorites"><h2 id="favorites">${say('library.favorites')}</h2>
<ul class="rows">${favorites.map(
        (one) =>
          html`<li><div><a href="${collectionPath(site, one.collection)}#item-${one.id}"><strong>${one.name}</strong></a>
<p class="soft">${kindText(written, one)}</p></div></li>`,
      )}</ul></section>`
}
${
  collections.length === 0
    ? html`<section class="card"><p>${say('library.none')}</p>
<p class="actions"><a class="button" href="${sitePath(site, 'timetable')}">${say('nav.timetable')}</a></p></section>`
    : html`<ul class="offers">${collections.map((one) => collectionCard(visit, written, one, personal))}</ul>`
}`;
  return sitePage(visit, written, title, body, {
    here: 'library',
    description: say('library.description', { name: site.name }),
    data: [businessData(visit)],
    personal,
  });
}

function collectionCard({ site }: At, { say }: LibraryWritten, one: Collection, personal: boolean): Html {
  const to = collectionPath(site, one.id);
  return html`<li class="card">${pictureOf(one.picture)}<h2><a href="${to}">${one.name}</a></h2>
${one.description ? html`<p><bdi>${one.description}</bdi></p>` : null}
<p class="soft">${say('library.items', { n: one.items })}${
    personal && !one.open ? html` · ${say('library.locked')}` : null
  }</p>
<p class="actions"><a class="button" href="${to}" aria-label="${say('library.see')}: ${one.name}">${say('library.see')}</a></p></li>`;
}

export interface CollectionView extends Inside {
  readonly personal: boolean;
  /** somebody whom the reader acts for may open it */
  readonly open: boolean;
  /** chosen tags */
  readonly tags: readonly number[];
  readonly problem: Refused | null;
}

export function collectionPage(visit: At, written: LibraryWritten, view: CollectionView): Shown {
  const { site } = visit;
  const { say } = written;
  const { collection, items, filters, tags, personal, open, problem } = view;
  const self = collectionPath(site, collection.id);
  const body = html`${problemBox(visit, written, problem, [wayTo(sitePath(site, 'library'), say('library.all'))])}
<div class="page-title"><h1>${collection.name}</h1>${
    collection.description ? html`<p><bdi>${collection.description}</bdi></p>` : null
  }</div>
${open ? null : lockedCard(visit, written, view, self)}
${filters.length === 0 ? null : filterForm(written, filters, tags, self)}
${
  items.length === 0
    ? html`<section class="card"><p>${say(tags.length === 0 ? 'library.empty' : 'library.nothing_fits')}</p>
<p class="actions"><a class="button" href="${tags.length === 0 ? sitePath(site, 'library') : self}">${say(
        tags.length === 0 ? 'library.all' : 'library.show_all',
      )}</a></p></section>`
    : html`<ul class="offers">${items.map((one) => itemCard(visit, written, one, { open, self }))}</ul>`
}
<p class="turn"><a href="${sitePath(site, 'library')}">${say('library.all')}</a></p>`;
  return sitePage(visit, written, collection.name, body, {
    here: 'library',
    description: collection.description || say('library.description', { name: site.name }),
    data: [businessData(visit)],
    personal,
    indexed: tags.length === 0,
    status: problem === null ? 200 : 409,
    self,
  });
}

/** Renders what opens a collection, for people who can't open it. */
function lockedCard(visit: At, { say }: LibraryWritten, { personal, keys }: CollectionView, self: string): Html {
  const ways = waysIn(visit, keys);
  return html`<section class="card" aria-labelledby="locked"><h2 id="locked">${say('library.locked')}</h2>
${
  ways.length === 0
    ? html`<p>${say(personal ? 'library.ask' : 'library.log_in', { name: visit.site.name })}</p>`
    : html`<p>${say('library.opens_with')}</p><ul>${ways}</ul>`
}
${personal ? null : startForm(visit, say, self)}</section>`;
}

const waysIn = ({ site }: At, { memberships, courses, products }: Keys): readonly Html[] => [
  ...memberships.map(({ id, name }) => html`<li><a href="${membershipPath(site, id)}">${name}</a></li>`),
  ...courses.map(({ id, name }) => html`<li><a href="${coursePath(site, id)}">${name}</a></li>`),
  ...products.map(({ id, name }) => html`<li><a href="${productPath(site, id)}">${name}</a></li>`),
];

const filterForm = (
  { say }: LibraryWritten,
  filters: readonly Filter[],
  chosen: readonly number[],
  self: string,
): Html =>
  html`<section class="card"><form method="get" action="${self}"><div class="choose">${filters.map(
    ({ id, name, tags }) =>
      html`<div class="field"><label for="filter-${id}">${name}</label><select id="filter-${id}" name="tag">
<option value="">${say('library.any')}</option>${tags.map(
        (tag) =>
          html`<option value="${tag.id}"${chosen.includes(tag.id) ? html` selected` : null}>${tag.name}</option>`,
      )}</select></div>`,
  )}</div><p class="actions"><button class="quiet">${say('library.filter')}</button></p></form></section>`;

const kindText = ({ say }: LibraryWritten, { type, minutes }: Item): string =>
  [say(`library.${type}`), ...(minutes === null ? [] : [say('library.minutes', { n: minutes })])].join(' · ');

function itemCard(
  visit: At,
  written: LibraryWritten,
  one: Item,
  { open, self }: { readonly open: boolean; readonly self: string },
): Html {
  return html`<li class="card" id="item-${one.id}">${pictureOf(one.picture)}<h2>${one.name}</h2>
<p class="soft">${[kindText(written, one), ...one.teachers, ...one.tags].join(' · ')}</p>
${one.description ? html`<div class="about">${paragraphs(one.description)}</div>` : null}${
    open ? itemForm(visit, written, one, self) : null
  }</li>`;
}

/** Renders one form with both buttons, so that they are side by side. */
const itemForm = ({ token }: At, { say }: LibraryWritten, { id, name, type, favorite }: Item, self: string): Html => {
  const [open, keep] = [say(`library.open_${type}`), say(favorite ? 'library.unfavorite' : 'library.favorite')];
  return html`<form method="post" action="${self}/open"><input type="hidden" name="${TOKEN_FIELD}" value="${token}">
<input type="hidden" name="content" value="${id}"><input type="hidden" name="favorite" value="${favorite ? 'remove' : 'add'}">
<p class="actions"><button aria-label="${open}: ${name}">${open}</button><button class="quiet" formaction="${self}/favorite" aria-label="${keep}: ${name}">${keep}</button></p></form>`;
};

/** Renders the library on the home page of a business. */
export const libraryCard = ({ site }: At, { say }: LibraryWritten): Html =>
  html`<section class="card" aria-labelledby="library"><h2 id="library">${say('library.title')}</h2>
<p class="soft">${say('library.lead')}</p>
<p class="actions"><a href="${sitePath(site, 'library')}">${say('library.see_library')}</a></p></section>`;
