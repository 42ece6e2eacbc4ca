/** The page of a proposal: its effects and two buttons, and afterwards what became of it. */
import { Catalog, type Say } from '../../../../kernel/base/languages/catalog.ts';
import { EFFECT_TEXTS, type EffectText } from '../effects.ts';
import { FRAME, wordCard, type Business } from '../../frame/index.ts';
import { amountIn } from '../../../../kernel/base/languages/times.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import type { Exceeded } from '../limits.ts';
import type { FrameKey } from '../../frame/index.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';
import type { TextKey } from '../../../../kernel/base/languages/texts.ts';

type Key = TextKey<'pages', 'accounts/assistants'>;

export const ASSISTANTS = FRAME.and(Catalog.read('pages', 'accounts/assistants'));

export interface Written {
  readonly say: Say<Key | FrameKey>;
  readonly reader: Reader;
}

export interface ProposalView {
  /** null: a program with a machine token */
  readonly assistant: string | null;
  /** what the operation does, for staff */
  readonly summary: string | null;
  readonly effects: readonly EffectText[];
  /** texts that somebody else will read */
  readonly texts: readonly string[];
}

interface Around {
  /** version of what the page shows */
  readonly seen: string;
  readonly changed?: true;
  readonly refused?: string;
}

type At = Visit<Business>;

const nameOr = ({ say }: Written, assistant: string | null): string => assistant ?? say('program');

const button = ({ path, token }: At, act: 'make' | 'decline', label: string, seen: string): Html =>
  html`<form method="post" action="${path}"><input type="hidden" name="${TOKEN_FIELD}" value="${token}">
<input type="hidden" name="act" value="${act}"><input type="hidden" name="seen" value="${seen}">
<div class="actions"><button${act === 'decline' && html` class="quiet"`}>${label}</button></div></form>`;

const effectItem = ({ text, about }: EffectText): Html =>
  html`<li>${text}${about.length > 0 && html`<br><span class="soft">${about.join(' · ')}</span>`}</li>`;

/** Renders the effects and the two buttons. */
export function proposalPage(visit: At, written: Written, view: ProposalView, around: Around): Shown {
  const { say, reader } = written;
  const dashboard = EFFECT_TEXTS.for(reader, visit.site.tenant.words);
  const { summary, effects, texts } = view;
  const { seen, changed, refused } = around;
  return wordCard(
    visit,
    say('title'),
    html`${(changed || refused) && html`<p class="notice" role="alert">${refused ?? say('changed')}</p>`}
<p class="lead">${view.assistant === null ? say('lead.program') : say('lead', { assistant: view.assistant })}</p>
${summary && html`<p><strong>${summary}</strong></p>`}
<h2>${dashboard('would')}</h2>
${
  effects.length === 0 ? html`<p>${dashboard('nothing')}</p>` : html`<ul class="wishes">${effects.map(effectItem)}</ul>`
}
${texts.length > 0 && html`<h2>${say('texts')}</h2>${texts.map((text) => html`<blockquote>${text}</blockquote>`)}`}
<div class="choices">${button(visit, 'make', say('make'), seen)}
${button(visit, 'decline', say('decline'), seen)}</div>`,
    { own: true },
  );
}

interface Ending {
  /** null: a program with a machine token */
  readonly assistant: string | null;
  /** where the person goes on without the assistant */
  readonly way: { readonly href: string; readonly label: string };
}

/** Renders what became of a proposal. */
export function settledPage(
  visit: At,
  written: Written,
  state: 'made' | 'declined' | 'expired' | 'refused',
  { assistant, way, why }: Ending & { readonly why?: string },
): Shown {
  const { say } = written;
  // A program has no conversation to return to.
  const isSaid = assistant !== null || state === 'expired';
  return wordCard(
    visit,
    say(`${state}.title`),
    html`${why && html`<p>${why}</p>`}
${isSaid && html`<p>${say(`${state}.text`, { assistant: nameOr(written, assistant) })}</p>`}`,
    { way, own: true, status: state === 'made' || state === 'declined' ? 200 : 410 },
  );
}

/** Renders which daily limit the change would exceed. */
export function limitedPage(visit: At, written: Written, { limit, most }: Exceeded, { assistant, way }: Ending): Shown {
  const { say, reader } = written;
  const { currency } = visit.site.tenant;
  const name = nameOr(written, assistant);
  const text =
    limit === 'messages'
      ? say('limited.messages', { assistant: name, n: most })
      : say('limited.amount', { assistant: name, amount: amountIn(reader.locale, { minor: most, currency }) });
  return wordCard(visit, say('limited.title'), html`<p>${text}</p><p>${say('limited.text')}</p>`, {
    way,
    own: true,
    status: 409,
  });
}
