import type { AccountKey, AccountSay } from '../catalog.ts';

/** Returns the browser and system in a user agent, by their common names. It never guesses: unknown ones are null. */
export function namesOf(agent: string): { readonly browser: string | null; readonly system: string | null } {
  const browser = [
    /Edg(?:e|A|iOS)?\//,
    /OPR\/|Opera/,
    /SamsungBrowser\//,
    /Firefox\/|FxiOS\//,
    /Chrome\/|CriOS\//,
    /Safari\//,
  ].findIndex((sign) => sign.test(agent));
  const system = [/iPhone/, /iPad/, /Android/, /Windows/, /Mac OS X|Macintosh/, /CrOS/, /Linux/].findIndex((sign) =>
    sign.test(agent),
  );
  return {
    browser: ['Edge', 'Opera', 'Samsung Internet', 'Firefox', 'Chrome', 'Safari'][browser] ?? null,
    system: ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'ChromeOS', 'Linux'][system] ?? null,
  };
}

/** Returns the browser and system as text. */
export function deviceText(say: AccountSay, agent: string): string {
  const { browser, system } = namesOf(agent);
  const name = browser ?? say('device.browser');
  if (system === null) return name;
  const article = { iPhone: 'device.an', iPad: 'device.an', Mac: 'device.a' }[system] as AccountKey | undefined;
  return say('device.on', { browser: name, system: article ? say(article, { system }) : system });
}
