/** What is said in other words to staff than to customers: each is told what that side can do about it. Pure. */
export type Side = 'staff' | 'customer';

export type Wordings = Readonly<Record<Side, string>>;

/** One text where both sides can act on it. */
export type Wording = string | Wordings;

export const wordingFor = (side: Side, words: Wording): string => (typeof words === 'string' ? words : words[side]);

/** Machines act for staff; visitors are customers to be. */
export const sideOf = (mode: 'provider' | 'customer' | 'unregistered' | 'operator'): Side =>
  mode === 'provider' || mode === 'operator' ? 'staff' : 'customer';
