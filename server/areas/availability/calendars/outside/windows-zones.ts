/** Maps the time zone names of Windows, Outlook and Exchange to IANA zones, by the table of Unicode CLDR. */
import { findIana, WINDOWS_TO_IANA_MAP } from 'windows-iana';

/** Keyed by name in lower case: programs differ in how they write them. */
const NAMES = new Map(WINDOWS_TO_IANA_MAP.map(({ windowsName }) => [windowsName.toLowerCase(), windowsName]));

/** Returns the worldwide default IANA zone for the name; null if Windows has no such zone. */
export function zoneOfWindows(name: string): string | null {
  const known = NAMES.get(name.trim().toLowerCase());
  return known === undefined ? null : (findIana(known)[0] ?? null);
}
