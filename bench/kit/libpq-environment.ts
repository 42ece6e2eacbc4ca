const VARIABLES: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  hostaddr: 'PGHOSTADDR',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  options: 'PGOPTIONS',
  application_name: 'PGAPPNAME',
  connect_timeout: 'PGCONNECT_TIMEOUT',
};

/** Credentials, host, port, database and parameters; `new URL` refuses credentials before an empty host. */
const POSTGRES_URL =
  /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/**
 * Returns a connection URL as the environment variables of libpq programs: a password passed that way does not show in
 * the list of processes. As in libpq, a parameter overrides the same value in the URL itself. Throws for an invalid URL
 * and for unknown parameters.
 */
export function libpqEnvironment(url: string): Record<string, string> {
  const parts = POSTGRES_URL.exec(url);
  if (!parts) throw new Error('not a postgres:// connection URL');
  const [, credentials = '', host, port = '', database = '', query = ''] = parts;
  const colon = credentials.indexOf(':');
  const settings: [string, string][] = [
    ['user', decodeURIComponent(colon < 0 ? credentials : credentials.slice(0, colon))],
    ['password', colon < 0 ? '' : decodeURIComponent(credentials.slice(colon + 1))],
    ['host', decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1'))],
    ['port', port],
    ['dbname', decodeURIComponent(database)],
    ...query.split('&').filter(Boolean).map(parameter),
  ];
  const environment: Record<string, string> = {};
  for (const [name, value] of settings) {
    if (!Object.hasOwn(VARIABLES, name)) throw new Error(`connection parameter ${name} is not supported`);
    if (value !== '') environment[VARIABLES[name]] = value;
  }
  return environment;
}

/** Unlike in a form, `+` is a plus sign here. */
function parameter(text: string): [string, string] {
  const equals = text.indexOf('=');
  return [
    decodeURIComponent(equals < 0 ? text : text.slice(0, equals)),
    equals < 0 ? '' : decodeURIComponent(text.slice(equals + 1)),
  ];
}
