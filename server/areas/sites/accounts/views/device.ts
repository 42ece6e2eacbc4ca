/** What a browser calls itself, in words that people use. Guesses at nothing: what is not known is named so. */
export function deviceOf(agent: string): string {
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
  const name = ['Edge', 'Opera', 'Samsung Internet', 'Firefox', 'Chrome', 'Safari'][browser] ?? 'A browser';
  const on = ['an iPhone', 'an iPad', 'Android', 'Windows', 'a Mac', 'ChromeOS', 'Linux'][system];
  return on ? `${name} on ${on}` : name;
}
