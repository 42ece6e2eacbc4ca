/** Signatures on pages: the texts, the text that is signed, and the field in which people draw. */
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import { drawingOf, DRAWING_WIDTH, linesIn } from './strokes.ts';
import { drawOwn } from '../../platform/images/index.ts';
import { FORM_MESSAGES, type FormKey } from '../../../kernel/pages/messages.ts';
import { FRAME, type FrameKey } from './messages.ts';
import { hidden } from '../../../kernel/pages/form.ts';
import { html, type Html } from '../../../kernel/base/markup/html.ts';
import { readFileSync } from 'node:fs';
import { scriptOf } from '../../../kernel/pages/script.ts';
import { writtenWith, type Written as WrittenWith } from './written.ts';
import type { Entrance } from './entrance.ts';
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import type { Visit } from '../../../kernel/pages/visit.ts';

type Key = TextKey<'pages', 'accounts/agreements'> | FormKey | FrameKey;
export type AgreementsWritten = WrittenWith<Key>;

const CATALOG = FRAME.and(FORM_MESSAGES).and(Catalog.read('pages', 'accounts/agreements'));

/** Returns the texts of pages about waivers and policies in the language of the person who reads. */
export const agreementsWritten = (visit: Visit<Entrance>): AgreementsWritten => writtenWith(visit, CATALOG);

export const SIGNATURE_SCRIPT = scriptOf('signature', readFileSync(new URL('./signature.js', import.meta.url), 'utf8'));

/** The field that the script fills with the lines of a drawn signature. */
export const linesField = () => hidden(8000);

/** Returns the drawn signature as a PNG in base64; null if nothing was drawn. */
export async function pictureOf(sent: string): Promise<string | null> {
  const lines = linesIn(sent);
  return lines && (await drawOwn(drawingOf(lines), DRAWING_WIDTH)).toString('base64');
}

/** Renders the field in which people draw. It stays hidden without the script. */
export const signaturePad = ({ say }: { readonly say: Say<Key> }, drawn: boolean): Html =>
  html`${drawn ? html`<noscript><p class="wrong">${say('draw.needed')}</p></noscript>` : null}
<div class="signature" data-signature hidden><p id="draw">${say('draw')}</p>
<canvas width="600" height="200" role="img" aria-labelledby="draw"></canvas>
<p><button type="button" class="quiet">${say('draw.clear')}</button></p></div>`;

/** Renders a text that is signed, in a box that the keyboard can scroll. */
export const signedText = (title: string, text: string): Html =>
  html`<div class="terms" role="region" aria-label="${title}" tabindex="0">${text.split(/\n{2,}/).map((part) => html`<p>${part}</p>`)}</div>`;
