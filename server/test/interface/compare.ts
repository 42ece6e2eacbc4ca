/** Compares the interface that Rollcall serves with the facts, name by name. */
import type { Facts, Names } from './facts.ts';
import type { Properties, Surface } from '../checks/api-surface.ts';

/**
 * One difference, in the form in which `docs/interface-differences.md` lists it: `GET /waivers`,
 * `POST /venues: zoom_user`, `customer.lead_source` or `POST /crm/workflows: trigger=lead_form.submitted`.
 */
export type Difference = string;

/** Returns the enumerated values of a snapshot's type, or null if the type allows others. */
const valuesIn = (type: string): readonly string[] | null => /\(([^)]*)\)/.exec(type)?.[1]!.split(',') ?? null;

function missing(names: Names, served: Properties, at: (name: string) => string): Difference[] {
  const found: Difference[] = [];
  const groups = new Set(Object.keys(served).map(parentOf));
  for (const [name, values] of names) {
    const type = served[name];
    if (type === undefined) {
      // Only a group lists its properties: those of a value of any form, or of a missing object, aren't compared.
      if (parentOf(name) === '' || groups.has(parentOf(name))) found.push(at(name));
      continue;
    }
    const offered = valuesIn(type);
    if (!values || !offered) continue;
    for (const value of values) if (!offered.includes(value)) found.push(`${at(name)}=${value}`);
  }
  return found;
}

/** Returns the name of the object that has the property: `venue` for `venue.name`, empty at the top. */
const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));

/** Adds the properties of each form of an answer under their own names, with the values of all forms. */
function withoutForms(answer: Properties): Properties {
  const all: Properties = {};
  for (const [name, type] of Object.entries(answer)) {
    const own = name.slice(name.indexOf('.') + 1);
    const [before, now] = [valuesIn(all[own] ?? ''), valuesIn(type)];
    all[own] = before && now ? `(${[...before, ...now].join(',')})` : type;
  }
  return { ...all, ...answer };
}

export interface Comparison {
  readonly served: readonly string[];
  readonly differences: readonly Difference[];
}

export function compare(facts: Facts, surface: Surface): Comparison {
  const served: string[] = [];
  const differences: Difference[] = [];
  for (const [operation, { query, body, answer, returns }] of facts.operations) {
    const own = surface.operations[operation];
    if (!own) {
      differences.push(operation);
      continue;
    }
    served.push(operation);
    const at = (name: string) => `${operation}: ${name}`;
    differences.push(...missing(query, own.query, at), ...missing(body, own.body, at));
    const expected = (returns !== null && facts.resources.get(returns)) || answer;
    if (typeof own.answer !== 'string') differences.push(...missing(expected, withoutForms(own.answer), at));
    else if (own.answer.split(' ')[1] !== returns)
      differences.push(...missing(expected, surface.resources[own.answer.split(' ')[1]!] ?? {}, at));
  }
  for (const [resource, names] of facts.resources) {
    const own = surface.resources[resource];
    if (own) differences.push(...missing(names, own, (name) => `${resource}.${name}`));
  }
  return { served, differences };
}
