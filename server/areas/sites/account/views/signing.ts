/** The page of a waiver, with its text and the form to sign it, and the pages of a link to sign. */
import {
  formCard,
  linesField,
  SIGNATURE_SCRIPT,
  signaturePad,
  signedText,
  wordCard,
  type AgreementsWritten as Written,
  type At,
  type Person,
} from '../../frame/index.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import { hidden, personName, type Draft } from '../../../../kernel/pages/form.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';

export const signFields = ({ say }: Pick<Written, 'say'>, guardian: boolean) => ({
  return_to: hidden(2000),
  version: hidden(10),
  lines: linesField(),
  name: personName(say(guardian ? 'name.guardian' : 'name'), {
    max: 300,
    autocomplete: 'name',
    hint: say('name.hint'),
  }),
});

export interface WaiverView {
  readonly id: number;
  readonly name: string;
  /** in the language of the reader, if there is one */
  readonly text: string;
  readonly version: number;
  /** the signature must be drawn */
  readonly drawn: boolean;
  readonly person: Person;
  /** a guardian signs for the person */
  readonly guardian: boolean;
  /** name that is filled in; empty if it isn't known */
  readonly signer: string;
}

interface Around {
  readonly draft: Draft | undefined;
  /** address to return to; null: none */
  readonly back: string | null;
  /** the reader is logged in */
  readonly own: boolean;
}

export function waiverPage(visit: At, written: Written, view: WaiverView, { draft, back, own }: Around): Shown {
  const { say } = written;
  const { name, text, version, drawn, person, guardian, signer } = view;
  const lead = guardian
    ? person.name === null
      ? say('lead.guardian')
      : say('lead.guardian_for', { person: person.name })
    : person.name === null
      ? say('lead')
      : say('lead.for', { person: person.name });
  const start = { return_to: back ?? '', version: String(version), name: signer };
  const page = formCard(visit, name, {
    lead,
    above: html`${signedText(name, text)}${signaturePad(written, drawn)}`,
    fields: signFields(written, guardian),
    // A drawing is not shown again, so it isn't sent again either.
    draft: { errors: {}, ...draft, kept: { ...start, ...draft?.kept, version: String(version), lines: '' } },
    button: say('button'),
    own,
    turn: back === null ? null : html`<p><a href="${back}">${say('later')}</a></p>`,
  });
  return { ...page, script: SIGNATURE_SCRIPT };
}

export const signedPage = (visit: At, { say }: Written, name: string): Shown =>
  wordCard(
    visit,
    say('link.done'),
    html`<p>${name === '' ? say('link.done_text') : say('link.done_for', { person: name })}</p>`,
  );

export const signingGonePage = (visit: At, { say }: Written): Shown =>
  wordCard(visit, say('link.gone'), html`<p>${say('link.gone_text', { name: visit.site.name })}</p>`, { status: 404 });
