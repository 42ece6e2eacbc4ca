/** A pass for Apple Wallet: labels in the language of the phone, days and times in its format. */
import { applePass, PKPASS, type AppleKeys } from '../../../kernel/base/passes/index.ts';
import { drawnIcon, PLAIN_COLOR } from '../frame/index.ts';
import { LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import { labelsIn, type Label } from './messages.ts';
import { textOn } from '../../../kernel/base/values/color.ts';
import type { DrawnFile } from '../../../kernel/api/file.ts';
import type { FileStore } from '../../../kernel/base/files/file-store.ts';
import type { PassEvent, PassFacts } from './facts.ts';

/** Size in points; phones need pictures at one, two and three times that size. */
const PICTURES = { icon: 29, logo: 50 } as const;
const SCALES = { '': 1, '@2x': 2, '@3x': 3 } as const;

const LABELS = {
  when: 'label.when',
  where: 'label.where',
  name: 'label.name',
  code: 'label.code',
  address: 'label.address',
  contact: 'label.contact',
  page: 'label.page',
} as const satisfies Record<string, Label>;

type Name = keyof typeof LABELS;
/** Each label in every language. */
type Labels = Readonly<Record<Name, Readonly<Record<Language, string>>>>;
type Field = { readonly key: string; readonly value: string } & Readonly<Record<string, unknown>>;

export interface Making {
  readonly files: FileStore;
  readonly keys: AppleKeys;
  /** real time in epoch milliseconds */
  readonly now: number;
}

export const appleFile = (facts: PassFacts, { files, keys, now }: Making): DrawnFile => ({
  name: 'pass.pkpass',
  type: PKPASS,
  draw: async () => {
    const labels = labelsOf(facts);
    const pictures = await picturesOf(files, facts);
    return applePass(shown(facts, fieldsWith(labels)), new Map([...pictures, ...texts(labels)]), keys, now);
  },
});

function shown({ business, serial, code, name, event }: PassFacts, field: MakeField): Record<string, unknown> {
  const color = business.look.color ?? PLAIN_COLOR;
  const on = rgb(textOn(color));
  return {
    serialNumber: serial,
    organizationName: business.name,
    description: [business.name, event?.name ?? code].join(': '),
    logoText: business.name,
    backgroundColor: rgb(color),
    foregroundColor: on,
    labelColor: on,
    sharingProhibited: true,
    barcodes: [{ format: 'PKBarcodeFormatQR', message: code, messageEncoding: 'iso-8859-1', altText: code }],
    ...(event ? ofEvent({ business, name }, event, field) : ofPerson({ business, name, code }, field)),
  };
}

function ofEvent(
  { business, name }: Pick<PassFacts, 'business' | 'name'>,
  event: PassEvent,
  field: MakeField,
): Record<string, unknown> {
  const { startsAt, endsAt, venue, address, position, page } = event;
  return {
    relevantDate: startsAt,
    // Read by iOS 18 and newer.
    relevantDates: [{ startDate: startsAt, endDate: endsAt }],
    expirationDate: endsAt,
    ...(position && { locations: [{ latitude: position.lat, longitude: position.lng }] }),
    eventTicket: {
      primaryFields: [{ key: 'event', value: event.name }],
      secondaryFields: [
        field('when', startsAt, {
          dateStyle: 'PKDateStyleMedium',
          timeStyle: 'PKDateStyleShort',
          // in the venue's time zone, wherever the phone is
          ignoresTimeZone: true,
        }),
      ],
      auxiliaryFields: said([field('where', venue), field('name', name)]),
      backFields: said([field('address', address), field('contact', contactOf(business)), field('page', page)]),
    },
  };
}

const ofPerson = (
  { business, name, code }: Pick<PassFacts, 'business' | 'name' | 'code'>,
  field: MakeField,
): Record<string, unknown> => ({
  generic: {
    primaryFields: said([field('name', name)]),
    secondaryFields: [field('code', code)],
    backFields: said([field('contact', contactOf(business))]),
  },
});

type MakeField = (key: Name, value: string, more?: Readonly<Record<string, unknown>>) => Field;

/** Labels are the English ones, which phones look up in the strings of their language. */
const fieldsWith =
  (labels: Labels): MakeField =>
  (key, value, more = {}) => ({ key, label: labels[key].en, value, ...more });

const said = (fields: readonly Field[]): Field[] => fields.filter(({ value }) => value !== '');

const contactOf = ({ contact: { email, phone } }: PassFacts['business']): string =>
  [email, phone].filter(Boolean).join('\n');

/** `rgb(29, 78, 216)`, of `#1d4ed8` */
const rgb = (color: string): string =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(', ')})`;

async function picturesOf(files: FileStore, { business: { look } }: PassFacts): Promise<[string, Buffer][]> {
  const drawn: [string, Buffer][] = [];
  for (const [name, points] of Object.entries(PICTURES))
    for (const [suffix, scale] of Object.entries(SCALES))
      drawn.push([`${name}${suffix}.png`, await drawnIcon(files, look, points * scale)]);
  return drawn;
}

const labelsOf = ({ business: { tenant } }: PassFacts): Labels =>
  Object.fromEntries(
    Object.entries(LABELS).map(([name, label]) => [name, labelsIn(tenant.words, label)]),
  ) as unknown as Labels;

const texts = (labels: Labels): [string, Buffer][] =>
  (Object.keys(LANGUAGES) as Language[]).map((language) => {
    const lines = Object.values(labels).map((of) => `${quoted(of.en)} = ${quoted(of[language])};\n`);
    return [`${language}.lproj/pass.strings`, Buffer.from(lines.join(''))];
  });

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
