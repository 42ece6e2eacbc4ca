import { catalogue } from '../../words/catalogue.ts';
import type { Labels } from '../../ui/history/labels.ts';
import type { Setting } from './declared/setting.ts';

export const words = catalogue('screens/settings');

type Key = Parameters<typeof words.say>[0];
type Named = Pick<Setting, 'name'>;

/**
 * Returns keys from the most specific to the most general: `label.fees.kind`, `label.branding.color`, `label.color`.
 */
export const keysOf = (sort: string, form: string, name: string): string[] => [
  `${sort}.${form}.${name}`,
  `${sort}.${name}`,
  `${sort}.${name.split('.').at(-1)}`,
];

const firstOf = (keys: readonly string[]): string | undefined => {
  const key = keys.find(words.has);
  return key && words.say(key as Key);
};

/** Returns the settings of a form in words, for their history. */
export const labelsIn = (form: string): Labels => ({
  name: (property) => firstOf(keysOf('label', form, property)),
  choice: (property, value) => firstOf([`choice.${form}.${property}.${value}`, `choice.${property}.${value}`]),
});

export const labelOf = (form: string, { name }: Named): string => firstOf(keysOf('label', form, name)) ?? name;
export const hintFor = (form: string, { name }: Named): string | undefined => firstOf(keysOf('hint', form, name));

/** Returns the text for no choice. */
export const labelForNone = ({ name }: Named): string => firstOf([`none.${name}`]) ?? words.say('none');

/** Returns the text of a choice, which may be specific to one property or shared. */
export const choiceOf = (form: string, { name }: Named, choice: string): string =>
  firstOf([`choice.${form}.${name}.${choice}`, `choice.${name.split('.').at(-1)}.${choice}`, `choice.${choice}`]) ??
  choice;
