/** Buttons for somebody who was refused: to get what is missing, to choose something else, or to ask the business. */
import { at } from '../entrance.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { hasSite, sitePath, type Written } from '../written.ts';
import { stepsAfter, type Step } from '../ways.ts';
import type { At } from '../desk.ts';
import type { FrameKey } from '../messages.ts';

type With = Pick<Written<FrameKey>, 'say'>;

/** A refusal that a page shows. */
export interface Refused {
  readonly text: string;
  /** code of the problem; null: it has none */
  readonly code: string | null;
}

export const wayTo = (href: string, label: string): Html => html`<a class="button quiet" href="${href}">${label}</a>`;

/** Renders the buttons; null if there are none. */
export function waysOn(ways: readonly (Html | null)[]): Html | null {
  const all = ways.filter((one) => one !== null);
  return all.length === 0 ? null : html`<p class="actions">${all}</p>`;
}

/** Returns the ways to ask the business that it has published. */
export function askWays({ site: { name, contact } }: At, { say }: With): readonly (Html | null)[] {
  return [
    contact.email ? wayTo(`mailto:${contact.email}`, say('ask.mail', { name })) : null,
    contact.phone
      ? wayTo(`tel:${contact.phone.replaceAll(/[^+\d]/g, '')}`, say('ask.call', { phone: contact.phone }))
      : null,
  ];
}

/** Returns the pages that the refusal leads to, of those that the business has. */
function pagesOf({ site }: At, { say }: With, steps: readonly Step[]): readonly Html[] {
  const pages: Readonly<Partial<Record<Step, () => Html>>> = {
    owed: () => wayTo(at(site, 'profile/owed'), say('way.pay')),
    account: () => wayTo(at(site, 'profile'), say('nav.account')),
    ...(hasSite(site) && {
      memberships: () => wayTo(sitePath(site, 'memberships'), say('way.memberships')),
      timetable: () => wayTo(sitePath(site, 'timetable'), say('way.timetable')),
      ...Object.fromEntries(
        site.offers.map((name) => [name, () => wayTo(sitePath(site, name), say(`nav.${name}`))] as const),
      ),
    }),
  };
  return steps.flatMap((step) => pages[step]?.() ?? []);
}

/** Renders the buttons to ask the business, after `others`; to the timetable or the account if there are none. */
export function waysOrAsk(visit: At, written: With, others: readonly (Html | null)[]): Html {
  const [first] = pagesOf(visit, written, ['timetable', 'account']);
  return waysOn([...others, ...askWays(visit, written)]) ?? waysOn([first])!;
}

/** Steps that get what is missing; the others are replaced by those of a page that has some. */
const MISSING: readonly Step[] = ['owed', 'memberships', 'account'];

/**
 * Renders the buttons after a refusal: what is missing, `others`, and the ways to ask. There is always one, unless the
 * form of the page is the next step.
 */
export function waysAfter(
  visit: At,
  written: With,
  { code }: Pick<Refused, 'code'>,
  others: readonly (Html | null)[],
): Html | null {
  const all = stepsAfter(code);
  const steps = others.some((one) => one !== null) ? all.filter((step) => MISSING.includes(step)) : all;
  const known = new Set(others.map((one) => one?.text));
  const pages = pagesOf(visit, written, steps).filter(({ text }) => !known.has(text));
  if (!all.includes('ask')) return waysOn([...pages, ...others]);
  return waysOrAsk(visit, written, [...pages, ...others]);
}
