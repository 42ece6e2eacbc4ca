/** What a browser calls itself, in names that people know. Guesses at nothing: what is not known is null. */
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

/** The same in words. */
export function deviceOf(agent: string): string {
  const { browser, system } = namesOf(agent);
  const on = system === 'iPhone' || system === 'iPad' ? `an ${system}` : system === 'Mac' ? 'a Mac' : system;
  return on === null ? (browser ?? 'A browser') : `${browser ?? 'A browser'} on ${on}`;
}
