import { email as emailField } from '../../../../kernel/base/fields/kinds.ts';
import { Issues } from '../../../../kernel/base/problem.ts';
import type { Reading } from '../../../../kernel/base/fields/field.ts';

/** Returns true for an address that the interface accepts. */
export function isAddress(text: string): boolean {
  const issues = new Issues();
  emailField().spec.read(text, 'email', { issues } as Reading);
  return issues.fields.email === undefined;
}
