/** Names of time zones that Windows, Outlook and Exchange write, by the table of Unicode CLDR. */
import { findIana, WINDOWS_TO_IANA_MAP } from 'windows-iana';

/** By names in lower case: programs differ in how they write them. */
const NAMES = new Map(WINDOWS_TO_IANA_MAP.map(({ windowsName }) => [windowsName.toLowerCase(), windowsName]));

/** The zone of the IANA database that stands for the name in the whole world; null: Windows has no such zone. */
export function zoneOfWindows(name: string): string | null {
  const known = NAMES.get(name.trim().toLowerCase());
  return known === undefined ? null : (findIana(known)[0] ?? null);
}
