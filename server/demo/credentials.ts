/** The file with the secrets of the demo business: passwords and a token, for the person who started the service. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Login {
  email: string;
  password: string;
}

export interface DemoCredentials {
  /** empty until the service has listened for the first time */
  base_url: string;
  provider_id: number;
  m2m_token: string;
  owner: Login;
  customer: Login;
  /** teaches some of the classes */
  instructor: Login;
  /** works at the front desk */
  desk: Login;
}

export const credentialsFile = (dataDir: string): string => join(resolve(dataDir), 'demo-credentials.json');

export function readCredentials(dataDir: string): DemoCredentials | null {
  try {
    return JSON.parse(readFileSync(credentialsFile(dataDir), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export function placeCredentials(dataDir: string, credentials: DemoCredentials): void {
  const file = credentialsFile(dataDir);
  mkdirSync(resolve(dataDir), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
