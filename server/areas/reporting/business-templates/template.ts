/** Templates for a new business: what they create is data, in every language. */
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import prices from './data/prices.json' with { type: 'json' };
import templates from './data/templates.json' with { type: 'json' };

export const TEMPLATES = ['yoga_studio', 'gym', 'club', 'school'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

export interface Template {
  /** `text`: key of the name. Without `price`, it can't be booked without a membership. */
  readonly offerings: readonly { readonly text: string; readonly color: string; readonly price?: 'visit' }[];
  /** until then, cancelling is free */
  readonly cancellation_notice_hours: number;
  readonly booking_opens_days: number;
  readonly waitlist_max: number;
}

export const templateOf = (name: TemplateName): Template => (templates as Record<TemplateName, Template>)[name];

/** Decisions of a business about money. */
export const PRICES = ['visit', 'pack', 'month', 'trial'] as const;
export type Prices = Readonly<Record<(typeof PRICES)[number], string>>;

/** Returns usual prices in the currency (ISO 4217); null if none are known. */
export const usualPrices = (currency: string): Prices | null =>
  (prices as Readonly<Record<string, Prices>>)[currency.toUpperCase()] ?? null;

type Texts = Readonly<Record<string, string>>;

const read = (language: Language): Texts =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'data', 'texts', `${language}.json`), 'utf8'));

const known = new Map<Language, Texts>();

/** Returns the texts in a language. They are read once, when somebody first asks for them. */
export function textsIn(language: Language): Texts {
  const texts = known.get(language) ?? read(language);
  known.set(language, texts);
  return texts;
}

export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];
