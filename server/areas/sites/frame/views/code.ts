/**
 * The code that customers show at the door: their number with a check that nobody can guess, as a code that doors and
 * the dashboard scan, and as text. It lets them in like a plastic card, and proves nothing else; so it may be stored on
 * a phone.
 */
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { renderSVG } from 'uqr';
import { section } from './card.ts';
import type { FrameKey } from '../messages.ts';
import type { Person } from '../staff-viewer.ts';
import type { Say } from '../../../../kernel/base/languages/catalog.ts';

/** Families are hardly larger, and each code adds 1 KB to the page. */
const MAX_DIGITS = 10;

/**
 * Renders the codes of people who take part: a parent who only books for a child needs none. `codes`: by
 * customer. `ways`: further actions for each.
 */
export function codesCard(
  people: readonly Person[],
  codes: ReadonlyMap<number, string>,
  say: Say<FrameKey>,
  ways: (person: Person) => Html | null = () => null,
): Html | null {
  const coming = people.filter(({ participating }) => participating).slice(0, MAX_DIGITS);
  return coming.length === 0
    ? null
    : section(
        'code',
        say('code.title'),
        html`<p class="soft">${say('code.text')}</p>
<ul class="shown-codes">${coming.map((one) => code(one, codes.get(one.id)!, say, ways(one)))}</ul>`,
      );
}

function code({ name }: Person, text: string, say: Say<FrameKey>, ways: Html | null): Html {
  const picture = Buffer.from(renderSVG(text, { border: 2 })).toString('base64');
  return html`<li><img class="qr" alt="${say('code.picture')}" width="208" height="208" src="data:image/svg+xml;base64,${picture}"><p><strong><bdi dir="ltr">${text}</bdi></strong>${
    name === null ? null : html` <span class="tag">${name}</span>`
  }</p>${ways}</li>`;
}
