/** Checks of values from a file, and values that take the place of some. */
import { callbackUrlProblem } from '../areas/people/applications/index.ts';
import { isReserved, isSlug } from '../areas/platform/providers/index.ts';
import { canonicalAddress } from '../kernel/base/values/mail-address.ts';
import { cleanName, messageFault, plainLines } from '../kernel/base/values/person-name.ts';
import { isZone } from '../kernel/base/values/zone.ts';
import { parseRecurrence } from '../kernel/base/values/recurrence-text.ts';
import type { Check, Reset, Row } from '../kernel/base/archive/arriving.ts';

export const MAX_AHEAD_MS = 50 * 366 * 86_400_000;

export const ZONE: Check = { holds: isZone, must: 'is no time zone' };
export const RULE: Check = {
  holds: (rule) => !('error' in parseRecurrence(rule)),
  must: 'is no rule that this release reads',
};
/** A URL of ours or of others. A browser executes what begins with `javascript:`. */
export const WEB: Check = {
  holds: (url) => url === '' || /^(https?:\/\/[^\s<>"]|\/(?![/\\]))/i.test(url),
  must: 'is no address of a web page',
};
export const PATH: Check = { holds: (path) => /^\/(?![/\\])/.test(path), must: 'is no path of the interface' };
export const SLUG: Check = {
  holds: (slug) => isSlug(slug) && !isReserved(slug),
  must: 'this service keeps for itself',
};
export const HOSTS: Check = {
  holds: (hosts: string[]) => hosts.every((host) => /^[a-z0-9.-]{1,253}$/.test(host)),
  must: 'holds more than host names',
};
export const CALLBACKS: Check = {
  holds: (urls: string[], { is_public: isPublic }) => urls.every((url) => callbackUrlProblem(url, isPublic) === null),
  must: 'holds an address that nobody may be sent to',
};

export const address = (column: string): Reset => ({
  to: (row) => (row[column] === null ? null : canonicalAddress(row[column])),
  said: null,
});

/**
 * The name of a person, cleaned as it would be refused at a form: mails greet with it. `none`: where nothing is left of
 * it.
 */
export const name = (column: string, max: number, none: string | null = null): Reset => ({
  to: (row) => (row[column] === null ? null : cleanName(row[column], max) || none),
  said: 'name that held an address or invisible characters, and was cleaned',
});

/** A text to another person, removed if it would be refused at a form: it is mailed in the name of the business. */
export const message = (column: string): Reset => ({
  to: (row) => (row[column] && messageFault(row[column]) === null ? plainLines(row[column]) : null),
  said: 'message that held an address, and was removed',
});

export const isUnsent = ({ status }: Row): boolean => status === 'queued' || status === 'sending';
