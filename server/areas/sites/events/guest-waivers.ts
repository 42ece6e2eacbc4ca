/** Waivers that guests sign with a booking, in the same form: with their name, or with one drawing for all of them. */
import {
  agreementsWritten,
  linesField,
  pictureOf,
  SIGNATURE_SCRIPT,
  signaturePad,
  signedText,
  type Ask,
  type At,
} from '../frame/index.ts';
import { check, withError, type Draft, type Fields } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/base/markup/html.ts';
import type { GuestWaiver } from './at-event.ts';
import type { Selling } from '../guests/index.ts';

type Sent = Readonly<Record<string, any>>;

interface Signing {
  readonly shown: Pick<Selling, 'above' | 'script'>;
  readonly fields: Fields;
  /** returns the draft, with an error for each waiver that isn't ticked */
  readonly checked: (values: Sent, draft: Draft) => Draft;
  readonly sign: (ask: Ask, customer: number, values: Sent) => Promise<void>;
}

const nameOf = ({ id }: GuestWaiver): string => `waiver_${id}`;

export function signingAsGuest(visit: At, waivers: readonly GuestWaiver[]): Signing {
  const written = agreementsWritten(visit);
  const { say, reader } = written;
  const drawn = waivers.some((one) => one.signature_image_required);
  return {
    shown:
      waivers.length === 0
        ? {}
        : {
            above: html`${waivers.map(({ name, text }) => html`<h2>${name}</h2>${signedText(name, text)}`)}${
              drawn ? signaturePad(written, true) : null
            }`,
            ...(drawn && { script: SIGNATURE_SCRIPT }),
          },
    fields: {
      ...Object.fromEntries(waivers.map((one) => [nameOf(one), check(say('guest.sign', { name: one.name }))])),
      ...(drawn && { lines: linesField() }),
    },
    checked: (values, draft) =>
      waivers.reduce(
        (all, one) => (values[nameOf(one)] ? all : withError(all, nameOf(one), say('guest.missing'))),
        draft,
      ),
    sign: async (ask, customer, values) => {
      const picture = drawn ? await pictureOf(values.lines) : null;
      for (const { id, version, signature_image_required: needsPicture } of waivers)
        await ask('POST /waiver_agreements', {
          body: {
            waiver: id,
            customer,
            version,
            signer_name: `${values.first_name} ${values.last_name}`.trim(),
            signature_image: needsPicture ? picture : null,
            language: reader.language,
          },
        });
    },
  };
}
