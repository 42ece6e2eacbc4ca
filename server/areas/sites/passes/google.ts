/** A pass for Google Wallet. Google formats days, times and most labels for the reader's country. */
import { iconPath, PLAIN_COLOR, type Business, type Desk } from '../frame/index.ts';
import { labelsIn } from './messages.ts';
import { opaque, type PassEvent, type PassFacts } from './facts.ts';
import { LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import type { GooglePass } from '../../../kernel/base/passes/index.ts';

/**
 * Returns the pass. `issuer`: number of the operator's account at Google Wallet; `baseUrl`: where Google finds
 * pictures.
 */
export function googlePass(
  desk: Desk,
  facts: PassFacts,
  { issuer, baseUrl }: { readonly issuer: string; readonly baseUrl: string },
): GooglePass {
  const { business, event, code, serial } = facts;
  const look = lookOf(business, baseUrl);
  const of = `${issuer}.${opaque(desk, 'wallet kind', [business.id, event?.id ?? null])}`;
  const object = {
    id: `${issuer}.${serial}`,
    classId: of,
    state: 'ACTIVE',
    barcode: { type: 'QR_CODE', value: code, alternateText: code },
    hexBackgroundColor: look.color,
  };
  return event
    ? { type: 'eventTicket', class: eventClass(business, event, of, look), object: eventObject(facts, event, object) }
    : { type: 'generic', class: { id: of }, object: personObject(facts, object, look) };
}

interface Look {
  readonly color: string;
  /** null: Google can't load it */
  readonly logo: object | null;
}

/** Returns the look. Google loads pictures itself, from public https addresses only. */
function lookOf({ look, name }: Business, baseUrl: string): Look {
  const uri = `${baseUrl}${iconPath(look, 512)}`;
  return {
    color: look.color ?? PLAIN_COLOR,
    logo: baseUrl.startsWith('https:') ? { sourceUri: { uri }, contentDescription: as(name) } : null,
  };
}

/** Returns a text that is the same in every language. */
const as = (value: string) => ({ defaultValue: { language: 'en', value } });

function eventClass(business: Business, event: PassEvent, id: string, { color, logo }: Look) {
  return {
    id,
    issuerName: business.name,
    reviewStatus: 'UNDER_REVIEW',
    eventName: as(event.name),
    dateTime: { start: event.startsAt, end: event.endsAt },
    // Google accepts a venue with its address, or none.
    ...(event.venue && event.address && { venue: { name: as(event.venue), address: as(event.address) } }),
    hexBackgroundColor: color,
    ...(logo && { logo }),
  };
}

const eventObject = <O extends object>({ name }: PassFacts, { startsAt, endsAt, page }: PassEvent, object: O) => ({
  ...object,
  ...(name && { ticketHolderName: name }),
  validTimeInterval: { start: { date: startsAt }, end: { date: endsAt } },
  linksModuleData: { uris: [{ id: 'page', uri: page }] },
});

function personObject<O extends object>({ business, name, code }: PassFacts, object: O, { logo }: Look) {
  const { en, ...others } = labelsIn(business.tenant.words, 'label.code');
  return {
    ...object,
    cardTitle: as(business.name),
    header: as(name || code),
    subheader: {
      defaultValue: { language: 'en', value: en },
      translatedValues: (Object.keys(LANGUAGES) as Language[])
        .filter((language) => language !== 'en')
        .map((language) => ({ language, value: others[language as Exclude<Language, 'en'>] })),
    },
    ...(logo && { logo }),
  };
}
