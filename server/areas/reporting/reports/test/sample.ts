/** A valid value for each filter of a report, derived from the filter's description. */
import type { Report } from '../report.ts';

const instant = '2026-06-01T00:00:00Z';

function sampleOf(name: string, schema: Record<string, any>): string {
  if (name === 'group') return '{}';
  if (schema.enum) return String(schema.enum[0]);
  if (schema.type === 'array') return sampleOf(name, schema.items);
  if (schema.type === 'boolean') return 'true';
  if (schema.type === 'integer') return '1';
  if (schema.format === 'date-time') return instant;
  if (schema.format === 'date') return '2000-01-31';
  if (name.endsWith('timeframe')) return 'last_30_days';
  return 'none';
}

/** Returns values for all filters of a report, as a query sends them. */
export const samples = ({ filters }: Report): [string, string][] =>
  Object.entries(filters).map(([name, { field }]) => [name, sampleOf(name, field.spec.schema)]);
